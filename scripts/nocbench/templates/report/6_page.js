// Puts the page together.

function fillChoice(name, values) {
  const select = byId("filters").elements[name];
  for (const [value, count] of values) select.append(make("option", {value}, `${value} (${count})`));
}

function countsOf(column) {
  const counts = new Map();
  for (let point = 0; point < numPoints; point += 1) {
    const text = textOf(column, point);
    if (text) counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return [...counts];
}

function fillFilters() {
  const sum = (column) => column.reduce((total, value) => total + value, 0);
  fillChoice("verdict", [[FAILING, sum(points.fails)], [CHANGED, sum(points.changed)], ...countsOf("verdict")]);
  fillChoice("arch", countsOf("arch").sort());
  fillChoice("primitive", countsOf("primitive").sort());
  if (!report.hasBase) document.querySelector("[data-needs-base]").hidden = true;
  const form = byId("filters");
  const read = () => update({...Object.fromEntries(FILTERS.map((key) => [key, form.elements[key].value])), page: 1, point: ""});
  form.addEventListener("input", read);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(() => update({q: "", verdict: "", arch: "", primitive: "", sort: "", page: 1, point: ""})));
}

function nameOfTable(table) {
  const about = report.tables[table];
  const board = about.board ? ` (${about.board})` : "";
  const name = [`${about.arch}${board}: ${about.test}`, about.kernel, about.params].filter(Boolean).join(", ");
  if (!report.hasBase) return name;
  const changed = pointsOfTable[table].filter(isChanged).length;
  return `${name}; ${changed ? `${changed} of ${pointsOfTable[table].length} changed` : "unchanged"}`;
}

function fillTests() {
  const choice = byId("test-choice");
  report.tables.forEach((_, table) => choice.append(make("option", {value: table}, nameOfTable(table))));
  const step = (by) => {
    choice.selectedIndex = (choice.selectedIndex + by + choice.length) % choice.length;
    renderTest();
  };
  choice.addEventListener("change", renderTest);
  byId("previous-test").addEventListener("click", () => step(-1));
  byId("next-test").addEventListener("click", () => step(1));
  if (choice.length) renderTest();
}

function renderTest() {
  const table = Number(byId("test-choice").value);
  const parts = [drawPlots(table, null)];
  if (report.hasBase) parts.push(...["Cycles", "Bandwidth"].map((metric) => drawHeatMap(table, metric, openPoint)));
  byId("test-panel").replaceChildren(...parts);
}

/** Shows the plots of a test. */
function openTest(table) {
  byId("test-choice").value = table;
  renderTest();
  byId("tests").scrollIntoView();
  byId("test-choice").focus({preventScroll: true});
}

/** Shows a point in the table, whatever was shown before. */
function openPoint(point) {
  byId("filters").elements.q.value = "";
  const form = byId("filters");
  for (const key of FILTERS) form.elements[key].value = "";
  Object.assign(state, {q: "", verdict: "", arch: "", primitive: "", sort: ""});
  update({point: String(point), page: 1 + Math.floor(point / ROWS_PER_PAGE)});
  renderHead();
  const row = document.querySelector(`#table tr[data-point="${point}"]`);
  row?.scrollIntoView({block: "center"});
  row?.querySelector(".open").focus({preventScroll: true});
}

function traceLink(trace) {
  const label = trace.label ? `${trace.name}: ${trace.label}` : trace.name;
  if (!trace.content) return make("a", {href: trace.link, download: true}, `${label} (beside this file)`);
  return make("button", {type: "button", "data-trace": trace.name, click: () => {
    const bytes = Uint8Array.from(atob(trace.content), (character) => character.charCodeAt(0));
    const url = URL.createObjectURL(new Blob([bytes], {type: "application/gzip"}));
    make("a", {href: url, download: trace.name}).click();
    setTimeout(() => URL.revokeObjectURL(url), 10000);
  }}, `Download ${label}`);
}

for (const trace of report.traces) byId("trace-list").append(make("li", {}, traceLink(trace)));
for (const link of document.querySelectorAll("[data-jump]")) {
  link.addEventListener("click", (event) => {
    event.preventDefault();  // the hash is for what the table shows
    byId(link.dataset.jump).scrollIntoView();
  });
}
fillFilters();
fillTests();
readHash();
if (state.point && !location.hash.includes("page=")) {
  const place = shownPoints().indexOf(Number(state.point));
  state.page = place < 0 ? 1 : 1 + Math.floor(place / ROWS_PER_PAGE);
}
update({});
addEventListener("hashchange", () => {
  const before = JSON.stringify(state);
  readHash();
  if (JSON.stringify(state) === before) return;
  renderHead();
  update({});
});
document.documentElement.dataset.ready = "true";
