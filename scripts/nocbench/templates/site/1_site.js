// Data of the site. Pages work from a folder, too, where a script cannot read files: data are scripts that call receive().

const received = new Map();
const waiting = new Map();

/** Called by the files of data, with their name. */
function receive(name, data) {
  received.set(name, data);
  for (const act of waiting.get(name) ?? []) act(data);
  waiting.delete(name);
}

const siteRoot = document.documentElement.dataset.root;

/** Returns a promise of the data of a file, which is loaded once. */
function load(name) {
  if (received.has(name)) return Promise.resolve(received.get(name));
  return new Promise((resolve, reject) => {
    if (waiting.has(name)) {
      waiting.get(name).push(resolve);
      return;
    }
    waiting.set(name, [resolve]);
    const failed = () => reject(new Error(`${name} cannot be loaded`));
    document.head.append(make("script", {src: `${siteRoot}data/${name}.js`, error: failed}));
  });
}

const ADDRESS_MILLISECONDS = 150;

/** Reads and writes the part of the address behind #, which has the state of the view. Browsers ignore frequent writes. */
const address = {
  timer: 0,
  read: () => Object.fromEntries(new URLSearchParams(location.hash.slice(1))),
  write(state) {
    const words = new URLSearchParams(Object.entries(state).filter(([, value]) => value !== "" && value !== null && value !== undefined));
    clearTimeout(address.timer);
    address.timer = setTimeout(() => history.replaceState(null, "", words.size ? `#${words}` : location.pathname + location.search), ADDRESS_MILLISECONDS);
  },
};

/** What pages do when they are loaded, by the name in <body data-page>. */
const pages = {};
