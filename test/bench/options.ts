import { parseArgs } from 'node:util';
import { builtProgram } from './servers/gatehouse.ts';

export interface BenchOptions {
  /** Names of the parts to run. */
  readonly only: readonly string[];
  readonly rounds: number;
  /** Of each measured stretch. */
  readonly seconds: number;
  /** Smaller counts everywhere: to see that the harness works, not to compare with the goals. */
  readonly quick: boolean;
  /** Measures nothing; tells where the time of the server goes instead. */
  readonly profile: boolean;
  /** File for the results as JSON. */
  readonly json: string | undefined;
  /** Whether to write docs/performance.svg and the table of docs/performance.md. */
  readonly docs: boolean;
  /** Results of earlier runs to report instead of measuring. */
  readonly from: readonly string[];
  /** The built server to measure. */
  readonly program: string;
}

export const usage = `npm run bench -- [options]

  --only NAME     a part: reads, publish, large-publish, start, install, scale, versions (may be repeated)
  --rounds N      interleaved rounds of each comparison (5)
  --seconds S     length of each measured stretch (3)
  --quick         few and short rounds and a small scale, to see that everything works
  --profile       profile the server under each kind of request instead of measuring
  --json FILE     write the results as JSON
  --docs          write the figures and the plot into docs/
  --from FILE     report what an earlier run wrote with --json instead of measuring (may be repeated)
  --server FILE   another built server to measure (out/server/gatehouse.js)
`;

/** @throws Error with a text for people if an option is unknown or no number. */
export function readOptions(args: readonly string[]): BenchOptions | 'help' {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string', multiple: true, default: [] },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      quick: { type: 'boolean', default: false },
      profile: { type: 'boolean', default: false },
      json: { type: 'string' },
      docs: { type: 'boolean', default: false },
      from: { type: 'string', multiple: true, default: [] },
      server: { type: 'string', default: builtProgram },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return 'help';
  return {
    only: values.only,
    rounds: positive('--rounds', values.rounds ?? (values.quick ? '2' : '5')),
    seconds: positive('--seconds', values.seconds ?? (values.quick ? '0.7' : '3')),
    quick: values.quick,
    profile: values.profile,
    json: values.json,
    docs: values.docs,
    from: values.from,
    program: values.server,
  };
}

function positive(name: string, text: string): number {
  const value = Number(text);
  if (value > 0 && Number.isFinite(value)) return value;
  throw new Error(`${name} must be a number above zero, not "${text}".`);
}
