import manifest from '../../package.json' with { type: 'json' };

/** Version of this Gatehouse. */
export function gatehouseVersion(): string {
  return manifest.version;
}
