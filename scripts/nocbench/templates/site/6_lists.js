// The list of all tests, the comparison of two tests, and the search.

const FILTER_NAMES = ["q", "arch", "family", "published"];

pages.index = () => {
  const form = byId("filters");
  const rows = [...document.querySelectorAll("#tests tbody tr")].map((row) => ({row, text: `${row.textContent} ${row.dataset.words ?? ""}`.toLowerCase()}));
  const body = document.querySelector("#tests tbody");
  let sort = address.read().sort ?? "";
  function show() {
    const state = Object.fromEntries(FILTER_NAMES.map((name) => [name, name === "published" ? (form.elements[name].checked ? "1" : "") : form.elements[name].value]));
    const terms = termsOf(state.q);
    let shown = 0;
    for (const {row, text} of rows) {
      const isShown = (!state.arch || row.dataset.arch === state.arch) && (!state.family || row.dataset.family === state.family)
        && (!state.published || row.dataset.published) && terms.every((term) => holds(text, term));
      row.hidden = !isShown;
      shown += isShown;
    }
    byId("count").textContent = shown === rows.length ? `${shown} tests` : `${shown} of ${rows.length} tests`;
    address.write({...state, sort});
  }
  function order() {
    const column = [...document.querySelectorAll("#tests thead button")].findIndex((button) => button.dataset.sort === sort.replace(/^-/, ""));
    const sign = sort.startsWith("-") ? -1 : 1;
    const keys = new Map(rows.map(({row}, place) => [row, column < 0 ? place : keyOf(row.cells[column])]));
    const isMissing = (key) => key === "" || Number.isNaN(key);
    const compare = (a, b) => {
      const [left, right] = [keys.get(a.row), keys.get(b.row)];
      if (isMissing(left) || isMissing(right)) return isMissing(left) - isMissing(right);
      return sign * (typeof left === "number" ? left - right : left.localeCompare(right, "en", {numeric: true}));
    };
    body.append(...[...rows].sort(compare).map(({row}) => row));
    document.querySelectorAll("#tests thead th").forEach((cell, place) => {
      cell.ariaSort = place !== column || column < 0 ? "none" : sign < 0 ? "descending" : "ascending";
    });
  }
  const keyOf = (cell) => (cell.classList.contains("number") ? (cell.dataset.value === undefined ? NaN : Number(cell.dataset.value)) : cell.textContent.trim());
  const state = address.read();
  for (const name of FILTER_NAMES) {
    if (name === "published") form.elements[name].checked = Boolean(state[name]);
    else form.elements[name].value = state[name] ?? "";
  }
  form.addEventListener("input", show);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(show));
  for (const button of document.querySelectorAll("#tests thead button")) {
    button.addEventListener("click", () => {
      const {sort: name} = button.dataset;
      sort = sort === name ? `-${name}` : sort === `-${name}` ? "" : name;
      order();
      show();
    });
  }
  if (sort) order();
  show();
  document.documentElement.dataset.ready = "true";
};

pages.compare = () => {
  load("tests").then((tests) => {
    const nameOf = new Map(tests.map(({name, title}) => [title, name]));
    const titleOf = new Map(tests.map(({name, title}) => [name, title]));
    byId("titles").append(...tests.map(({title}) => make("option", {value: title})));
    const known = address.read();
    const sides = ["a", "b"].map((side) => ({side, input: byId(`choice-${side}`), place: byId(`panel-${side}`), name: known[side] ?? "", panel: Number(known[`panel-${side}`]) || 0}));
    for (const side of sides) {
      side.input.value = titleOf.get(side.name) ?? "";
      side.input.addEventListener("change", () => {
        side.name = nameOf.get(side.input.value) ?? "";
        side.panel = 0;
        show();
      });
    }
    byId("swap").addEventListener("click", () => {
      const [a, b] = sides;
      [a.name, b.name, a.panel, b.panel, a.input.value, b.input.value] = [b.name, a.name, b.panel, a.panel, b.input.value, a.input.value];
      show();
    });

    function showPanels(side, test) {
      side.place.hidden = !test || test.panels.length < 2;
      if (side.place.hidden) return;
      side.panel = Math.min(side.panel, test.panels.length - 1);
      const select = make("select", {"aria-label": `Part of ${side.side.toUpperCase()}`, change: () => {
        side.panel = Number(select.value);
        show();
      }}, ...test.panels.map((words, number) => make("option", {value: number}, words)));
      select.value = String(side.panel);
      side.place.replaceChildren(select);
    }
    async function show() {
      address.write(Object.fromEntries(sides.flatMap(({side, name, panel}) => [[side, name], [`panel-${side}`, panel || ""]])));
      const loaded = await Promise.all(sides.map(({name}) => (titleOf.has(name) ? load(name) : null)));
      sides.forEach((side, number) => showPanels(side, loaded[number]));
      const parts = sides.map(({side, panel}, number) => ({test: loaded[number], panel, prefix: side.toUpperCase()})).filter(({test}) => test);
      const axes = new Set(parts.map(({test}) => (test.x.names.length ? test.command : test.x.label)));
      const fits = axes.size < 2;
      byId("fault").textContent = fits ? "" : `These tests are drawn along different axes: ${parts.map(({test}) => test.x.label || "their points").join(", and ")}.`;
      const hidden = new Set();
      const xLog = parts.every(({test}) => test.x.isLog);
      const drawn = fits ? METRICS.map((metric) => chartOf(parts, metric, {xLog, yLog: metric.name === "cycles" && xLog})).filter(Boolean) : [];
      const charts = drawn.map((chart) => makeChart(chart, {hidden}));
      byId("charts").replaceChildren(make("div", {class: "plots"}, ...charts.map(({figure}) => figure)),
        drawn.length ? makeLegend(drawn[0], hidden, () => charts.forEach(({refresh}) => refresh())) : "");
    }
    show().then(() => {
      document.documentElement.dataset.ready = "true";
    });
  });
};

const MOST_FOUND = 60;
const AROUND = 90;

pages.search = () => {
  const input = document.querySelector("#search-form input");
  input.value = address.read().q ?? new URLSearchParams(location.search).get("q") ?? "";
  load("search").then((entries) => {
    const texts = entries.map(({title, heading, text}) => `${title} ${heading} ${text}`.toLowerCase());
    function show() {
      const terms = termsOf(input.value);
      address.write({q: input.value});
      const found = terms.length ? entries.map((entry, place) => ({entry, rank: rankOf(entry, texts[place], terms)})).filter(({rank}) => rank > 0).sort((a, b) => b.rank - a.rank) : [];
      byId("count").textContent = terms.length ? `${found.length} ${found.length === 1 ? "place" : "places"}${found.length > MOST_FOUND ? `, the first ${MOST_FOUND} shown` : ""}` : "";
      byId("found").replaceChildren(...found.slice(0, MOST_FOUND).map(({entry}) => make("li", {}, make("a", {href: siteRoot + entry.url}, [entry.title, entry.heading].filter(Boolean).join(": ")),
        make("p", {class: "quiet"}, excerptOf(entry.text, terms)))));
    }
    input.addEventListener("input", show);
    show();
    document.documentElement.dataset.ready = "true";
  });
};

/** 0 unless each term is somewhere; more for those in titles and headings. */
function rankOf(entry, text, terms) {
  if (!terms.every((term) => holds(text, term))) return 0;
  const heads = [[entry.heading.toLowerCase(), 8], [entry.title.toLowerCase(), 4]];
  return 1 + terms.reduce((sum, term) => sum + heads.reduce((of, [head, weight]) => of + (head.includes(term) ? weight : 0), 0), 0);
}

function excerptOf(text, terms) {
  const at = Math.max(0, Math.min(...terms.map((term) => text.toLowerCase().indexOf(term)).filter((place) => place >= 0), text.length) - AROUND);
  const part = text.slice(at, at + 3 * AROUND);
  return `${at > 0 ? "…" : ""}${part}${at + 3 * AROUND < text.length ? "…" : ""}`;
}
