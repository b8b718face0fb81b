import './tail-text.css';

interface TailTextProps {
  text: string;
  /** How many characters at the end stay in sight at the most; less, where the last part of the name is shorter. */
  tail: number;
}

/** A line that is cut before its end when it is too long: what tells names and paths apart mostly stands at the end. */
export function TailText({ text, tail }: TailTextProps) {
  const at = Math.max(0, text.length - tail);
  const separator = text.slice(at).search(/[/@.-]/);
  const cut = separator === -1 || at + separator > text.length - 4 ? at : at + separator;
  // With so little before it the end alone would be all that is left.
  if (cut < 12) return <span className="gh-truncate">{text}</span>;
  return (
    <span className="gh-tail-text" title={text}>
      <span className="gh-truncate">{text.slice(0, cut)}</span>
      <span>{text.slice(cut)}</span>
    </span>
  );
}
