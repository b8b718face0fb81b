import type { ReactNode } from 'react';
import './chip.css';

export type ChipTone = 'plain' | 'accent' | 'warn' | 'danger';

interface ChipProps {
  tone?: ChipTone;
  icon?: ReactNode;
  title?: string;
  children: ReactNode;
}

/** A small label: a dist-tag, a state, a rule. */
export function Chip({ tone = 'plain', icon, title, children }: ChipProps) {
  return (
    <span className="gh-chip" data-tone={tone} title={title}>
      {icon}
      <span>{children}</span>
    </span>
  );
}
