// The beginning of a point's time line: kernels by the cause of their waits, and transactions by step.

const ROW_HEIGHT = 16;
const LABELS = 190;
const TIME_WIDTH = 760;

function drawTimeLine(line) {
  if (!line.end) return [make("p", {class: "quiet"}, "The kernels of this test are not recorded.")];
  const scale = (cycle) => LABELS + (TIME_WIDTH * Math.min(cycle, line.end)) / line.end;
  const rows = [
    ...line.kernels.map((kernel) => ({
      label: `${kernel.name} at ${placeInWords(kernel.place)}`, isKernel: true,
      parts: kernel.stretches.map(([cause, begin, end]) => ({begin, end, color: cause, words: line.causes[cause] })),
    })),
    ...line.transactions.map((transaction) => {
      let begin = transaction.begin;
      return {
        label: `${transaction.kind}, ${formatSize(transaction.bytes)}, to ${placeInWords(transaction.to)}`,
        parts: transaction.phases.map(([kind, end]) => {
          const part = {begin, end, color: line.phases.indexOf(line.phases[kind]), words: line.phases[kind]};
          begin = end;
          return part;
        }),
      };
    }),
  ];
  const height = rows.length * ROW_HEIGHT + 24;
  const svg = make("svg", {viewBox: `0 0 ${LABELS + TIME_WIDTH + 10} ${height}`, class: "time-line", role: "img", "aria-label": "Kernels and transactions against cycles"});
  rows.forEach(({label, parts, isKernel}, number) => {
    const y = number * ROW_HEIGHT;
    svg.append(make("text", {x: LABELS - 6, y: y + 12, "text-anchor": "end"}, label));
    for (const {begin, end, color, words} of parts) {
      if (begin >= line.end || end <= begin) continue;
      svg.append(make("rect", {class: `part s${color % NUM_COLORS} ${isKernel ? "of-kernel" : ""}`, x: scale(begin), y: y + 2, width: Math.max(0.6, scale(end) - scale(begin)), height: ROW_HEIGHT - 4},
        make("title", {}, `${words}: cycles ${formatCycles(begin)} to ${formatCycles(end)}`)));
    }
  });
  const step = niceStep(line.end / 6);
  for (let cycle = 0; cycle <= line.end; cycle += step) {
    svg.append(make("line", {class: "tick", x1: scale(cycle), x2: scale(cycle), y1: 0, y2: height - 20}));
    svg.append(make("text", {x: scale(cycle), y: height - 6, "text-anchor": "middle"}, shortNumber(cycle)));
  }
  const shown = [`${line.kernels.length} of ${line.numKernels} kernels`, `${line.transactions.length} of ${line.numTransactions} transactions`];
  const key = (texts, numbers) => [...new Set(numbers)].map((number) => make("span", {}, make("svg", {viewBox: "0 0 14 14", class: `s${number % NUM_COLORS} key`, "aria-hidden": "true"}, make("rect", {class: "part", width: 14, height: 14})), texts[number]));
  return [
    make("div", {class: "scroll", tabindex: "0", role: "region", "aria-label": "Time line"}, svg),
    make("p", {class: "quiet"}, `The first ${formatCycles(line.end)} cycles: ${shown.join(", ")}.`),
    make("div", {class: "legend"}, make("strong", {}, "Kernels wait for:"), ...key(line.causes, line.kernels.flatMap(({stretches}) => stretches.map(([cause]) => cause)))),
    ...(line.transactions.length ? [make("div", {class: "legend"}, make("strong", {}, "Transactions:"), ...key(line.phases, line.transactions.flatMap(({phases}) => phases.map(([kind]) => line.phases.indexOf(line.phases[kind])))))] : []),
  ];
}

const placeInWords = (place) => (place === null || place[0] === null ? "the host" : `(${place.join(", ")})`);

/** 1, 2 or 5 times a power of ten, at least as long. */
function niceStep(length) {
  const power = 10 ** Math.floor(Math.log10(Math.max(length, 1e-9)));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= length);
}
