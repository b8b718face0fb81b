/** How one figure grows: points of (size, value), sizes ascending. */
export interface Series {
  readonly name: string;
  readonly points: readonly (readonly [size: number, value: number])[];
}

/** Figures that grow, or do not, along one axis. */
export interface Chart {
  /** What the axis counts. */
  readonly axis: string;
  readonly series: readonly Series[];
}

const panel = { width: 260, height: 170, left: 52, right: 14, top: 34, bottom: 34 };
const columns = 3;

/** Draws each series in a panel of its own, sizes on a logarithmic axis, values from zero. The result is a whole SVG document. */
export function growthPlot(charts: readonly Chart[]): string {
  const panels = charts.flatMap(({ axis, series }) => series.map((one) => ({ axis, ...one })));
  const rows = Math.ceil(panels.length / columns);
  const width = columns * panel.width;
  const height = rows * panel.height;
  const drawn = panels.map((one, index) => {
    const x = (index % columns) * panel.width;
    const y = Math.floor(index / columns) * panel.height;
    return `<g transform="translate(${x} ${y})">\n${drawPanel(one)}\n</g>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="system-ui, sans-serif" font-size="10">`,
    `<title>How cost grows with the size of a registry</title>`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    ...drawn,
    '</svg>',
    '',
  ].join('\n');
}

function drawPanel({ axis, name, points }: Series & { axis: string }): string {
  const sizes = points.map(([size]) => size);
  const values = points.map(([, value]) => value);
  const [low, high] = [Math.log10(Math.min(...sizes)), Math.log10(Math.max(...sizes))];
  const top = niceCeiling(Math.max(...values));
  const inner = { width: panel.width - panel.left - panel.right, height: panel.height - panel.top - panel.bottom };
  const x = (size: number): number =>
    round(panel.left + (high === low ? 0.5 : (Math.log10(size) - low) / (high - low)) * inner.width);
  const y = (value: number): number => round(panel.top + (1 - value / top) * inner.height);
  const bottom = panel.height - panel.bottom;
  const lines = [0, top / 2, top].map(
    (value) =>
      `<line x1="${panel.left}" x2="${panel.width - panel.right}" y1="${y(value)}" y2="${y(value)}" stroke="#dddddd"/>` +
      `<text x="${panel.left - 6}" y="${y(value) + 3}" text-anchor="end" fill="#555555">${label(value)}</text>`,
  );
  const ticks = sizes.map(
    (size) => `<text x="${x(size)}" y="${bottom + 13}" text-anchor="middle" fill="#555555">${label(size)}</text>`,
  );
  const path = points.map(([size, value]) => `${x(size)},${y(value)}`).join(' ');
  const dots = points.map(
    ([size, value]) =>
      `<circle cx="${x(size)}" cy="${y(value)}" r="3" fill="#1c5fb8"><title>${label(size)}: ${label(value)}</title></circle>`,
  );
  return [
    `<text x="${panel.left}" y="18" font-weight="600" fill="#222222">${escape(name)}</text>`,
    ...lines,
    ...ticks,
    `<text x="${panel.left + inner.width / 2}" y="${bottom + 27}" text-anchor="middle" fill="#555555">${escape(axis)}</text>`,
    `<polyline points="${path}" fill="none" stroke="#1c5fb8" stroke-width="2"/>`,
    ...dots,
  ].join('\n');
}

/** The next of 1, 2, 5, 10, 20, 50 … above a value. */
function niceCeiling(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 0.001)));
  return ([1, 2, 5, 10].find((factor) => factor * power >= value) ?? 10) * power;
}

function label(value: number): string {
  return value >= 1000 ? `${round(value / 1000)}k` : String(Number(value.toPrecision(3)));
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
