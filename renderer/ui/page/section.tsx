import { useId, type ReactNode } from 'react';
import '../lists/list.css';

interface SectionProps {
  title: string;
  /** One or two sentences on what it is for. */
  text?: ReactNode;
  children?: ReactNode;
}

/** A part of a page; several stand in a `gh-sections`. */
export function Section({ title, text, children }: SectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {text === undefined ? null : <p>{text}</p>}
      {children}
    </section>
  );
}
