import './tail-text.css';

interface TailTextProps {
  text: string;
  /** How many characters at the end stay visible, at most. */
  tail: number;
  /** Text with fewer characters than these before its end stays in one piece, as screen readers read it without a break. */
  head?: number;
  /** The end begins where `tail` says, and not at the next part of the name. */
  exact?: boolean;
}

/** Text that is cut before its end when it is too long, since names and paths mostly differ at the end. */
export function TailText({ text, tail, head = 12, exact = false }: TailTextProps) {
  const at = Math.max(0, text.length - tail);
  const separator = text.slice(at).search(/[\s/@.-]/);
  const cut = exact || separator === -1 || at + separator > text.length - 4 ? at : at + separator;
  // Too short to be cut in two.
  if (cut < head) return <span className="gh-truncate">{text}</span>;
  return (
    <span className="gh-tail-text" style={{ '--gh-head': cut } as React.CSSProperties}>
      <span className="gh-truncate">{text.slice(0, cut)}</span>
      <span>
        <bdi dir="ltr">{text.slice(cut)}</bdi>
      </span>
    </span>
  );
}
