import { PathText } from '../text/path-text.tsx';
import './change-table.css';

/** What it is, and its value on both sides of the change. */
export type ChangeRow = readonly [what: string, before: string, after: string];

interface ChangeTableProps {
  label: string;
  heads: ChangeRow;
  rows: readonly ChangeRow[];
  /** Names and versions, which stand in the font of code. */
  mono?: boolean;
}

/** What was beside what came or will come; rows that differ stand out, an empty value is a dash, and a side without any value is left out. */
export function ChangeTable({ label, heads, rows, mono = false }: ChangeTableProps) {
  const sides = ([1, 2] as const).filter((side) => rows.some((row) => row[side] !== ''));
  return (
    <table className="gh-change-table" aria-label={label}>
      <thead>
        <tr>
          {([0, ...sides] as const).map((column) => (
            <th key={column} scope="col">
              {heads[column]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className={mono ? 'gh-mono' : undefined}>
        {rows.map((row) => (
          <tr key={row[0]} data-changed={row[1] !== row[2] || undefined}>
            <th scope="row">
              <Words text={row[0]} />
            </th>
            {sides.map((side) => (
              <td key={side} data-after={side === 2 || undefined}>
                <Value text={row[side] === '' ? '–' : row[side]} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Breaks between two words rather than at the hyphen of a name. */
function Words({ text }: { text: string }) {
  return text.split(/(\s+)/).map((word, index) => <PathText key={index} path={word} />);
}

/** Each line is a value of its own. */
function Value({ text }: { text: string }) {
  const lines = text.split('\n');
  return lines.length === 1 ? (
    <PathText path={text} />
  ) : (
    lines.map((line) => (
      <div key={line}>
        <PathText path={line} />
      </div>
    ))
  );
}
