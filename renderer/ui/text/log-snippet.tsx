import { formatClock } from './format.ts';
import { isRecord } from '../../api/is-record.ts';
import { Snippet } from './snippet.tsx';

const levels: Readonly<Record<number, string>> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'warning',
  50: 'error',
  60: 'fatal',
};

/**
 * A line of the server's log for people: "21:04:05 error: listen EADDRINUSE". Lines that are not JSON, such as those that Node prints when
 * it crashes, stay as they are.
 */
export function readLogLine(line: string): string {
  const entry = parse(line);
  if (entry === undefined || typeof entry['msg'] !== 'string') return line;
  const { time, level, msg, err } = entry;
  const when = typeof time === 'number' ? `${formatClock(time)} ` : '';
  const what = typeof level === 'number' ? `${levels[level] ?? level}: ` : '';
  const cause =
    isRecord(err) && typeof err['message'] === 'string' && !msg.includes(err['message']) ? err['message'] : '';
  return `${when}${what}${msg}${cause === '' ? '' : `: ${cause}`}`;
}

function parse(line: string): Record<string, unknown> | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The last lines of the server's log, made readable; copied as they are. */
export function LogSnippet({ lines }: { lines: readonly string[] }) {
  return (
    <Snippet
      title="Last lines of the log"
      code={lines.map(readLogLine).join('\n')}
      copied={lines.join('\n')}
      copyLabel="Copy the log"
    />
  );
}
