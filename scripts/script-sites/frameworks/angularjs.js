import angular from "angular";
import { markup } from "../tree.js";

export function mount(slot, tree) {
    const page = angular.module("page", []);
    page.controller("Page", [
        "$scope",
        "$sce",
        (scope, sce) => {
            scope.parts = tree[2].map((part) => sce.trustAsHtml(markup(part)));
        },
    ]);
    slot.innerHTML = `<div ng-controller="Page"><div ng-repeat="part in parts" ng-bind-html="part"></div></div>`;
    angular.bootstrap(slot, ["page"]);
}
