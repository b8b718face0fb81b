const names = new Map(
  Object.entries({
    npm: 'npm',
    pnpm: 'pnpm',
    yarn: 'Yarn',
    bun: 'Bun',
    node: 'Node',
    undici: 'Node',
    curl: 'curl',
    deno: 'Deno',
    gatehouse: 'Gatehouse',
  }),
);

/** A client by its `User-Agent`, for people: "npm 12.0 on Node 24"; what is unknown stays as it is. */
export function clientName(userAgent: string): string {
  const text = userAgent.trim();
  if (text === '') return 'Unknown client';
  if (text.startsWith('Mozilla/')) return 'Browser';
  const [, tool = '', version] = /^([\w.@-]+)(?:\/v?(\d+(?:\.\d+)?)[\w.+-]*)?/.exec(text) ?? [];
  const name = names.get(tool.toLowerCase()) ?? (version === undefined ? undefined : tool);
  if (name === undefined) return text;
  const node = / node\/v?(\d+)/.exec(text)?.[1];
  return [name, version, node && `on Node ${node}`].filter(Boolean).join(' ');
}
