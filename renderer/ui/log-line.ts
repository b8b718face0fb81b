import { formatClock } from './format.ts';
import { isRecord } from './is-record.ts';

const levels: Readonly<Record<number, string>> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'warning',
  50: 'error',
  60: 'fatal',
};

/**
 * A line of the server's log as a person reads it: "21:04:05 error: listen EADDRINUSE". The server writes JSON for the sake of tools; lines that
 * are none (what Node itself prints when it falls) stay as they are.
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
