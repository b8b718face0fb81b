import './change-mark.css';

const marks = { added: 'A', deleted: 'D', modified: 'M' } as const;
const names = { added: 'Added', deleted: 'Deleted', modified: 'Modified' } as const;

/** What became of a file, in the letter that git and editors use. */
export function ChangeMark({ change }: { change: keyof typeof marks }) {
  return (
    <span
      className="gh-change-mark"
      data-change={change}
      role="img"
      aria-label={names[change]}
      data-tip={names[change]}
    >
      {marks[change]}
    </span>
  );
}
