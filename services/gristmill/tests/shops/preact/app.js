// A shop in Preact: paths as routes, hooks, data by fetch.
import { html, render, useEffect, useState } from '/preact.js';

const get = async (path) => (await fetch('/api' + path)).json();

function useData(path) {
  const [data, set] = useState(null);
  useEffect(() => { get(path).then(set); }, [path]);
  return data;
}

const Frame = ({ children }) => html`<header><a href="/">Tool shed</a></header><main>${children}</main><footer>Tool shed, since 1987</footer>`;

function List() {
  const items = useData('/list');
  if (!items) return html`<p class="wait">Loading…</p>`;
  return html`<h1>All tools</h1><ul>${items.map((item) => html`<li><a href=${'/product/' + item.id}>${item.name}</a></li>`)}</ul>`;
}

function Product({ id }) {
  const product = useData('/product/' + id), variants = useData('/variants/' + id);
  const [chosen, choose] = useState(0);
  useEffect(() => { if (product) document.title = product.name + ' | Tool shed'; }, [product]);
  if (!product || !variants) return html`<p class="wait">Loading…</p>`;
  return html`<h1>${product.name}</h1><p class="price">${variants[chosen].price}</p>
    <select onChange=${(event) => choose(+event.target.value)}>${variants.map((variant, n) => html`<option value=${n}>${variant.name}</option>`)}</select>
    <button>Add to cart</button><h2>Description</h2><p>${product.about}</p>
    <h2>Specifications</h2><table><tbody>${product.specs.map(([name, value]) => html`<tr><th>${name}</th><td>${value}</td></tr>`)}</tbody></table>`;
}

function App() {
  const product = location.pathname.match(/^\/product\/(\w+)/);
  if (product) return html`<${Frame}><${Product} id=${product[1]} /><//>`;
  if (location.pathname === '/all') return html`<${Frame}><${List} /><//>`;
  return html`<${Frame}><h1>Welcome</h1><nav><a href="/all">All tools</a></nav><//>`;
}

render(html`<${App} />`, document.getElementById('root'));
