import { readFileSync } from 'node:fs';

/** Version of this Gatehouse. The build writes it in; from source it stands in package.json. */
export function gatehouseVersion(): string {
  const built: string | undefined = process.env['GATEHOUSE_BUILD_VERSION'];
  if (built !== undefined) return built;
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
