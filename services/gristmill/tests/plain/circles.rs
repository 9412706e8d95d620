//! Files of a crate that use one another in a circle cannot be read, tested or moved one by one.
//!
//! A file uses another when it names something that is defined there. Re-exports (`pub use`) are followed to the definition and
//! are no use themselves, so what a `lib.rs` offers is not counted as its need. The insides of macros are not read.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use syn::visit::Visit;

/// The largest circle that is allowed, in files.
const LARGEST: usize = 3;

#[test]
fn no_circle_of_files_is_larger_than_allowed() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut too_large = Vec::new();
    for source in crates(&root) {
        for circle in Crate::read(&source).circles() {
            if circle.len() > LARGEST {
                let files: Vec<String> = circle.iter().map(|file| file.display().to_string()).collect();
                too_large.push(format!("{} files: {}", files.len(), files.join(", ")));
            }
        }
    }
    assert!(too_large.is_empty(), "circles of more than {LARGEST} files:\n{}", too_large.join("\n"));
}

#[test]
fn a_circle_through_re_exports_is_found() {
    let dir = tempfile::tempdir().unwrap();
    let files = [
        ("lib.rs", "mod a; mod b; mod c; mod d; pub use a::A; pub use d::D;"),
        ("a.rs", "use crate::b::B; pub struct A(B);"),
        ("b.rs", "pub struct B; impl B { fn c() -> super::c::C { todo!() } }"),
        ("c.rs", "pub struct C(Option<Box<crate::A>>);"),
        ("d.rs", "pub struct D(crate::A);"),
    ];
    files.iter().for_each(|(name, text)| std::fs::write(dir.path().join(name), text).unwrap());
    let circles = Crate::read(dir.path()).circles();
    let names: Vec<Vec<_>> =
        circles.iter().map(|circle| circle.iter().filter_map(|file| file.file_name()?.to_str()).collect()).collect();
    assert_eq!(names, [["a.rs", "b.rs", "c.rs"]]);
}

/// The `src` folders of the workspace.
pub(crate) fn crates(root: &Path) -> Vec<PathBuf> {
    let members = ["crates", "services", "lab"].iter().flat_map(|folder| std::fs::read_dir(root.join(folder)).unwrap());
    let members = members.map(|entry| entry.unwrap().path()).chain([root.join("proto"), root.join("bindings/python")]);
    members.map(|member| member.join("src")).filter(|source| source.is_dir()).collect()
}

/// Where something is: the modules down to it.
type Place = Vec<String>;

#[derive(Default)]
struct Crate {
    files: BTreeMap<Place, PathBuf>,
    modules: HashMap<Place, Module>,
}

#[derive(Default)]
struct Module {
    /// What is defined in it.
    defined: BTreeSet<String>,
    /// What is imported, by its name here, and whether it is given on.
    imported: Vec<(String, Place, bool)>,
    /// What is named elsewhere.
    named: Vec<Place>,
}

impl Crate {
    fn read(source: &Path) -> Crate {
        let mut read = Crate::default();
        let mut folders = vec![source.to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(&folder).unwrap() {
                let path = entry.unwrap().path();
                match path.is_dir() {
                    true => folders.push(path),
                    false if path.extension().is_some_and(|end| end == "rs") => {
                        read.files.insert(place_of(source, &path), path);
                    }
                    false => {}
                }
            }
        }
        for (place, path) in &read.files {
            let file = syn::parse_file(&std::fs::read_to_string(path).unwrap()).unwrap();
            let mut module = Module::default();
            module.visit_file(&file);
            read.modules.insert(place.clone(), module);
        }
        read
    }

    /// Sets of files that reach one another, of at least two.
    fn circles(&self) -> Vec<Vec<PathBuf>> {
        let places: Vec<&Place> = self.files.keys().collect();
        let number: HashMap<&Place, usize> = places.iter().enumerate().map(|(n, place)| (*place, n)).collect();
        let mut reaches = vec![vec![false; places.len()]; places.len()];
        for (n, place) in places.iter().enumerate() {
            self.uses(place).iter().for_each(|used| reaches[n][number[used]] = true);
        }
        for via in 0..places.len() {
            for from in 0..places.len() {
                if reaches[from][via] {
                    let row = reaches[via].clone();
                    reaches[from].iter_mut().zip(row).for_each(|(reach, further)| *reach |= further);
                }
            }
        }
        let mutual = |a: usize, b: usize| a == b || reaches[a][b] && reaches[b][a];
        let mut seen = BTreeSet::new();
        let mut circles = Vec::new();
        for a in 0..places.len() {
            let circle: Vec<usize> = (0..places.len()).filter(|&b| mutual(a, b)).collect();
            if circle.len() > 1 && seen.insert(circle.clone()) {
                circles.push(circle.iter().map(|&n| self.files[places[n]].clone()).collect());
            }
        }
        circles
    }

    /// The files in which stands what a file names.
    fn uses(&self, place: &Place) -> BTreeSet<Place> {
        let module = &self.modules[place];
        let is_signpost = place.is_empty() || self.files[place].ends_with("mod.rs");
        let imports = module.imported.iter().filter(|(_, _, given)| !(is_signpost && *given)).map(|(_, path, _)| path);
        let used = imports.chain(&module.named).filter_map(|path| self.absolute(place, path));
        used.map(|path| self.definition(path, 0)).filter(|used| used != place).collect()
    }

    /// A path from the root of the crate, or nothing if it leads out of it.
    fn absolute(&self, place: &Place, path: &Place) -> Option<Place> {
        let ups = path.iter().take_while(|part| *part == "super").count();
        match path.first().map(String::as_str) {
            Some("crate") => Some(path[1..].to_vec()),
            Some("self") => Some([place, &path[1..]].concat()),
            Some("super") => Some([&place[..place.len().checked_sub(ups)?], &path[ups..]].concat()),
            Some(_) => {
                let child = [place.as_slice(), &path[..1]].concat();
                self.files.contains_key(&child).then(|| [place.as_slice(), path].concat())
            }
            None => None,
        }
    }

    /// The module in which the end of a path is defined.
    fn definition(&self, path: Place, depth: usize) -> Place {
        const DEEPEST: usize = 8;
        let end = (0..=path.len()).rev().find(|&end| self.files.contains_key(&path[..end])).unwrap_or(0);
        let (place, rest) = (path[..end].to_vec(), &path[end..]);
        let (Some(name), Some(module)) = (rest.first(), self.modules.get(&place)) else { return place };
        if module.defined.contains(name) || depth > DEEPEST {
            return place;
        }
        for (known, target, _) in &module.imported {
            let Some(mut target) = self.absolute(&place, target) else { continue };
            if known == name {
                target.extend(rest[1..].iter().cloned());
            } else if known == "*" && self.modules.get(&target).is_some_and(|module| module.defined.contains(name)) {
                target.extend(rest.iter().cloned());
            } else {
                continue;
            }
            return self.definition(target, depth + 1);
        }
        place
    }
}

fn place_of(source: &Path, path: &Path) -> Place {
    let mut place: Place = path
        .strip_prefix(source)
        .unwrap()
        .with_extension("")
        .iter()
        .map(|part| part.to_str().unwrap().into())
        .collect();
    if ["lib", "main", "mod"].contains(&place.last().unwrap().as_str()) {
        place.pop();
    }
    place
}

fn is_test(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| match &attribute.meta {
        syn::Meta::List(list) => list.path.is_ident("cfg") && list.tokens.to_string() == "test",
        _ => false,
    })
}

impl Module {
    fn import(&mut self, tree: &syn::UseTree, before: &[String], given: bool) {
        let with = |ident: &syn::Ident| [before, &[ident.to_string()]].concat();
        match tree {
            syn::UseTree::Path(path) => self.import(&path.tree, &with(&path.ident), given),
            syn::UseTree::Group(group) => group.items.iter().for_each(|tree| self.import(tree, before, given)),
            syn::UseTree::Glob(_) => self.imported.push(("*".into(), before.to_vec(), given)),
            syn::UseTree::Rename(name) => self.imported.push((name.rename.to_string(), with(&name.ident), given)),
            syn::UseTree::Name(name) if name.ident == "self" => {
                self.imported.push((before.last().cloned().unwrap_or_default(), before.to_vec(), given));
            }
            syn::UseTree::Name(name) => self.imported.push((name.ident.to_string(), with(&name.ident), given)),
        }
    }
}

impl<'a> Visit<'a> for Module {
    fn visit_item(&mut self, item: &'a syn::Item) {
        let (attributes, name) = match item {
            syn::Item::Const(item) => (&item.attrs, Some(&item.ident)),
            syn::Item::Enum(item) => (&item.attrs, Some(&item.ident)),
            syn::Item::Fn(item) => (&item.attrs, Some(&item.sig.ident)),
            syn::Item::Macro(item) => (&item.attrs, item.ident.as_ref()),
            syn::Item::Static(item) => (&item.attrs, Some(&item.ident)),
            syn::Item::Struct(item) => (&item.attrs, Some(&item.ident)),
            syn::Item::Trait(item) => (&item.attrs, Some(&item.ident)),
            syn::Item::Type(item) => (&item.attrs, Some(&item.ident)),
            syn::Item::Mod(item) if is_test(&item.attrs) => return,
            syn::Item::Use(item) => {
                self.import(&item.tree, &[], !matches!(item.vis, syn::Visibility::Inherited));
                return;
            }
            _ => return syn::visit::visit_item(self, item),
        };
        if !is_test(attributes) {
            self.defined.extend(name.map(ToString::to_string));
            syn::visit::visit_item(self, item);
        }
    }

    fn visit_path(&mut self, path: &'a syn::Path) {
        if path.segments.len() > 1 {
            self.named.push(path.segments.iter().map(|segment| segment.ident.to_string()).collect());
        }
        syn::visit::visit_path(self, path);
    }
}
