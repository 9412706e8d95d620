import Backbone from "backbone";
import jQuery from "jquery";
import _ from "underscore";
import { markup } from "../tree.js";

export function mount(slot, tree) {
    Backbone.$ = jQuery;
    const draw = _.template("<% parts.forEach((part) => { %><div><%= part %></div><% }) %>");
    const View = Backbone.View.extend({
        render() {
            this.$el.html(draw(this.model.attributes));
            return this;
        },
    });
    const model = new Backbone.Model({ parts: tree[2].map(markup) });
    jQuery(slot).append(new View({ model }).render().el);
}
