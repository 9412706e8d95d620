// A shop of custom elements: no framework, data by fetch, some of it a moment after the rest.
const get = async (path) => (await fetch('/api' + path)).json();
const later = (millis) => new Promise((resolve) => setTimeout(resolve, millis));

function make(name, text, ...children) {
  const element = document.createElement(name);
  if (text) element.textContent = text;
  element.append(...children);
  return element;
}

function link(to, text) {
  const anchor = make('a', text);
  anchor.href = to;
  return anchor;
}

customElements.define('lamp-list', class extends HTMLElement {
  async connectedCallback() {
    const items = await get('/list');
    this.append(make('h1', 'Lamps'), make('ul', '', ...items.map((item) => make('li', '', link('/lamps/' + item.id + '.html', item.name)))));
  }
});

customElements.define('lamp-page', class extends HTMLElement {
  async connectedCallback() {
    const id = this.getAttribute('lamp');
    const product = await get('/product/' + id);
    document.title = product.name;
    this.append(make('h1', product.name), make('p', product.about));
    await later(150);
    const variants = await get('/variants/' + id);
    const price = make('span', variants[0].price);
    price.className = 'price';
    const choice = make('select', '', ...variants.map((variant) => make('option', variant.name)));
    const rows = product.specs.map(([name, value]) => make('tr', '', make('th', name), make('td', value)));
    this.append(price, choice, make('button', 'Add to basket'), make('h2', 'Details'), make('table', '', ...rows));
  }
});

customElements.define('lamp-shop', class extends HTMLElement {
  connectedCallback() {
    const lamp = location.pathname.match(/^\/lamps\/(\w+)\.html/);
    const page = document.createElement(lamp ? 'lamp-page' : 'lamp-list');
    if (lamp) page.setAttribute('lamp', lamp[1]);
    const home = location.pathname === '/';
    this.append(make('header', '', link('/', 'Lamp house')), home ? make('nav', '', link('/lamps', 'All lamps')) : page);
  }
});
