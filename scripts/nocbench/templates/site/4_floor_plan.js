// The floor plan of a machine: tiles with work, and the use of the links of each network.

const TILE = 30;
const ROUTER = 7;
const BUSIEST_LINKS = 5;
const LEAST_USE = 0.01;
const PLAIN_KINDS = new Set(["Tensix", "core", "node", "router only"]);

/** Where a link is drawn, between the routers of two tiles; links that wrap around are drawn as two stubs. */
function linkEnds(plan, [, x, y, dx, dy]) {
  const at = (column, row) => [column * TILE + ROUTER, row * TILE + ROUTER];
  const [from, to] = [at(x, y), at(x + dx, y + dy)];
  const side = plan.isTwoWay ? [dy * 2.2, -dx * 2.2] : [0, 0];
  return [from[0] + side[0], from[1] + side[1], to[0] + side[0], to[1] + side[1]];
}

function drawNetwork(plan, network, numRows) {
  const links = plan.links.filter(([number]) => number === network);
  const svg = make("svg", {viewBox: `-${TILE / 2} -${TILE / 2} ${(plan.columns + 1) * TILE} ${(numRows + 1) * TILE}`, class: "floor-plan",
    role: "img", "aria-label": `Links of ${plan.networks[network]}`});
  const work = new Map(plan.work.map((of) => [of.tile, of]));
  plan.tiles.forEach(([x, y, kind, ...logical], number) => {
    const its = work.get(number);
    const words = [`${plan.kinds[kind]} at (${x}, ${y})`, logical.length ? `core (${logical.join(", ")})` : "", ...(its?.kernels ?? []),
      its?.delivered ? `${formatBandwidth(its.delivered)} B/cycle arrive` : ""].filter(Boolean).join("; ");
    svg.append(make("rect", {class: `tile ${its ? "works" : ""} ${logical.length ? "" : "no-core"}`, x: x * TILE + 3, y: y * TILE + 3, width: TILE - 6, height: TILE - 6, rx: 3}, make("title", {}, words)));
    if (!logical.length && !PLAIN_KINDS.has(plan.kinds[kind])) {
      svg.append(make("text", {class: "kind", x: (x + 0.5) * TILE, y: (y + 0.5) * TILE + 3, "text-anchor": "middle"}, letterOf(plan.kinds[kind])));
    }
  });
  for (const link of links) {
    const [x1, y1, x2, y2] = linkEnds(plan, link);
    const use = link[5];
    svg.append(make("line", {class: "link", x1, y1, x2, y2, "stroke-opacity": (0.25 + 0.75 * use).toFixed(2), "stroke-width": (1.2 + 3.5 * use).toFixed(2)},
      make("title", {}, `${linkInWords(plan, link)}: ${(100 * use).toFixed(1)} % of the cycles`)));
  }
  const busiest = [...links].filter((link) => link[5] >= LEAST_USE).sort((a, b) => b[5] - a[5]).slice(0, BUSIEST_LINKS);
  const words = busiest.length ? `Busiest: ${busiest.map((link) => `${linkInWords(plan, link)} ${(100 * link[5]).toFixed(0)} %`).join(", ")}.` : "No link between routers was busy.";
  return make("figure", {}, make("figcaption", {}, plan.networks[network]), svg, make("p", {class: "quiet"}, words));
}

const linkInWords = (plan, [, x, y, dx, dy]) => `(${x}, ${y}) to ${dx > 0 ? "the east" : dx < 0 ? "the west" : dy > 0 ? "the south" : "the north"}`;

const letterOf = (kind) => (kind === "harvested" ? "×" : kind[0]);

/** A figure for each network that carried anything. */
function drawFloorPlan(plan) {
  const numRows = Math.max(...plan.tiles.map(([, y]) => y)) + 1;
  plan.isTwoWay = plan.links.some(([network, x, y, dx, dy]) => plan.links.some((other) => other[0] === network && other[3] === -dx && other[4] === -dy));
  const used = plan.networks.map((_, network) => network).filter((network) => plan.links.some(([number]) => number === network));
  if (!used.length) return [make("p", {class: "quiet"}, "This machine has no links between tiles, or nothing crossed them.")];
  const kinds = plan.kinds.filter((kind) => !PLAIN_KINDS.has(kind)).map((kind) => `${letterOf(kind)} ${kind}`);
  const key = make("p", {class: "quiet key-of-kinds"}, ["Blue: tiles that send or take in data. Red: links, the thicker the busier.", ...kinds].join(" "));
  return [...used.map((network) => drawNetwork(plan, network, numRows)), key];
}
