import { closeGaps } from './close-gaps.ts';
import './tail-text.css';

interface TailTextProps {
  text: string;
  /** How many characters at the end stay visible, at most. */
  tail: number;
  /** Text with fewer characters than these before its end stays in one piece, as screen readers read it without a break. */
  head?: number;
  /** The end begins where `tail` says, and not at the next part of the name. */
  exact?: boolean;
  /** Of a path: an end without room for all of it loses whole parts at its start, and none is cut within a part unless it is too long itself. */
  wholeParts?: boolean;
}

/** Text that is cut before its end when it is too long, since names and paths mostly differ at the end. */
export function TailText({ text, tail, head = 12, exact = false, wholeParts = false }: TailTextProps) {
  const at = Math.max(0, text.length - tail);
  const separator = text.slice(at).search(/[\s/@.-]/);
  const part = exact || separator === -1 || at + separator > text.length - 4 ? at : at + separator;
  // After the ellipsis, a dot would read as one more of its own.
  const cut = text[part] === '.' ? part + 1 : part;
  // Too short to be cut in two.
  if (cut < head) return <span className="gh-truncate">{text}</span>;
  const end = text.slice(cut);
  return (
    // Another text has other letters, which may be cut in the same room.
    <span key={text} ref={closeGaps} className="gh-tail-text" style={{ '--gh-head': cut } as React.CSSProperties}>
      <span className="gh-truncate">{text.slice(0, cut)}</span>
      {wholeParts ? (
        <span className="gh-tail-parts">
          {end.split(/(?=\/)/).map((piece, index) => (
            <span key={index} style={{ order: -index }}>
              <bdi dir="ltr">{piece}</bdi>
            </span>
          ))}
        </span>
      ) : (
        <span>
          <bdi dir="ltr">{end}</bdi>
        </span>
      )}
    </span>
  );
}
