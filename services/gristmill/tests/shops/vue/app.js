// A shop in Vue: queries as routes, data by XMLHttpRequest.
const { createApp, h, onMounted, ref } = Vue;

const get = (path) => new Promise((resolve, reject) => {
  const request = new XMLHttpRequest();
  request.open('GET', '/api' + path);
  request.onload = () => resolve(JSON.parse(request.responseText));
  request.onerror = reject;
  request.send();
});

const link = (to, text) => h('a', { href: to }, text);

const List = {
  setup() {
    const items = ref([]);
    onMounted(async () => { items.value = await get('/list'); });
    return () => [h('h1', '全部商品'), h('div', { class: 'grid' }, items.value.map((item) => h('div', { class: 'card' }, [link('/item?id=' + item.id, item.name)])))];
  },
};

const Product = {
  props: ['id'],
  setup(props) {
    const product = ref(null), variants = ref([]);
    onMounted(async () => {
      product.value = await get('/product/' + props.id);
      variants.value = await get('/variants/' + props.id);
      document.title = product.value.name;
    });
    return () => product.value && variants.value.length ? [
      h('h1', product.value.name),
      h('div', { class: 'price' }, variants.value[0].price),
      h('div', { class: 'variants' }, variants.value.map((variant) => h('button', { class: 'variant' }, variant.name))),
      h('button', { class: 'buy' }, '加入购物车'),
      h('h2', '商品介绍'), h('p', product.value.about),
      h('h2', '规格参数'), h('table', product.value.specs.map(([name, value]) => h('tr', [h('th', name), h('td', value)]))),
    ] : h('p', '加载中');
  },
};

const id = new URLSearchParams(location.search).get('id');
const Home = { setup: () => () => [h('h1', '茶具店'), link('/shop', '全部商品')] };
const view = id ? h(Product, { id }) : location.pathname === '/shop' ? h(List) : h(Home);
createApp({ render: () => [h('header', [link('/', '茶具店')]), h('main', [view])] }).mount('#app');
