// The index of all tests: those of a family, which is a primitive, share a section. It has what the filters leave.

const INDEX_OPEN_UP_TO = 40;  // entries; longer indexes begin with closed sections

/** What is shown as one entry: a test on a machine, whatever its kernels and parameters, with its first table. */
const indexEntries = [];
const entryOfTable = [];
{
  const entryOf = new Map();
  report.tables.forEach((about, table) => {
    const point = pointsOfTable[table][0];
    const key = JSON.stringify([textOf("primitive", point), points.testId[point], about.test, about.arch, about.board]);
    if (!entryOf.has(key)) {
      entryOf.set(key, indexEntries.length);
      indexEntries.push({about, table, family: textOf("primitive", point), testId: points.testId[point], numRows: 0});
    }
    entryOfTable.push(entryOf.get(key));
    indexEntries[entryOfTable[table]].numRows += pointsOfTable[table].length;
  });
}

/** A map from the values of `keyOf` to the items that have them, in the order of the first of each. */
function grouped(items, keyOf) {
  const groups = new Map();
  for (const item of items) {
    const key = keyOf(item);
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(item);
  }
  return groups;
}

/** Sections that the reader has opened or closed stay so, whatever is shown in them. */
const sectionIsOpen = new Map();
let indexFilters = null;

function renderIndex(shown) {
  const filters = JSON.stringify(FILTERS.map((key) => state[key]));
  if (filters === indexFilters) return;  // another order or page of the same points
  indexFilters = filters;
  const rows = new Array(indexEntries.length).fill(0);
  const changed = new Array(indexEntries.length).fill(0);
  for (const point of shown) {
    const entry = entryOfTable[points.table[point]];
    rows[entry] += 1;
    changed[entry] += points.changed[point];
  }
  const entries = [...indexEntries.keys()].filter((entry) => rows[entry]);
  const families = [...grouped(entries, (entry) => indexEntries[entry].family)].sort(([a], [b]) => (a < b ? -1 : 1));
  byId("index-list").replaceChildren(...families.map(([family, its]) => {
    const tests = [...grouped(its, (entry) => `${indexEntries[entry].testId} ${indexEntries[entry].about.test}`).values()];
    tests.sort(([a], [b]) => indexEntries[a].testId - indexEntries[b].testId);
    const isOpen = sectionIsOpen.get(family) ?? entries.length <= INDEX_OPEN_UP_TO;
    const section = make("details", {open: isOpen, "data-family": family},
      make("summary", {}, `${family} `, quiet(`${tests.length} ${tests.length === 1 ? "test" : "tests"}`)),
      make("ul", {}, ...tests.map((machines) => indexLine(machines, rows, changed))));
    section.querySelector("summary").addEventListener("click", () => sectionIsOpen.set(family, !section.open));
    return section;
  }));
  const numTests = new Set(entries.map((entry) => indexEntries[entry].about.test)).size;
  byId("index-count").textContent = entries.length ? `${numTests} ${numTests === 1 ? "test" : "tests"}` : "No test matches.";
}

/** A test, and a button for each machine that it has points of. */
function indexLine(machines, rows, changed) {
  const {about, testId} = indexEntries[machines[0]];
  return make("li", {}, `${about.test} `, quiet(testId ? `(${testId})` : ""), ...machines.flatMap((entry) => {
    const its = indexEntries[entry];
    const where = its.about.board ? `${its.about.arch} (${its.about.board})` : its.about.arch;
    const number = rows[entry] === its.numRows ? String(its.numRows) : `${rows[entry]} of ${its.numRows}`;
    const result = report.hasBase && changed[entry] ? `, ${changed[entry]} changed` : "";
    return [" ", make("button", {type: "button", "data-entry": entry, click: () => openTest(its.table)}, where),
      " ", quiet(`${number} ${its.numRows === 1 ? "row" : "rows"}${result}`)];
  }));
}
