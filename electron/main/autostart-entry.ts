export interface Autostart {
  readonly executable: string;
  readonly args: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
}

/** What the app was started with and must be started with again; no secrets. */
const kept = ['GATEHOUSE_DATA_DIR', 'GATEHOUSE_HOST', 'GATEHOUSE_NODE', 'GATEHOUSE_PORT'] as const;

/** A desktop entry for the autostart folder, after the XDG specifications of desktop entries and autostart. */
export function autostartEntry({ executable, args, environment }: Autostart): string {
  const variables = kept.flatMap((name) => {
    const value = environment[name];
    return value === undefined || value === '' ? [] : [`${name}=${value}`];
  });
  const command = [...(variables.length > 0 ? ['env', ...variables] : []), executable, ...args];
  return [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Gatehouse',
    'Comment=An npm registry on this computer',
    `Exec=${command.map(quoted).join(' ')}`,
    'Terminal=false',
    'X-GNOME-Autostart-enabled=true',
    '',
  ].join('\n');
}

/** Quotes an argument of Exec: first by the rules of its own, then by those of every string in a desktop entry. */
function quoted(argument: string): string {
  const escaped = argument.replaceAll(/["`$\\]/g, String.raw`\$&`).replaceAll('%', '%%');
  const enclosed = /[^\w@+=:,./-]/.test(argument) ? `"${escaped}"` : escaped;
  return enclosed.replaceAll('\\', String.raw`\\`);
}
