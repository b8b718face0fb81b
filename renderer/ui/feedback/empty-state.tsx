import type { ReactNode } from 'react';
import './empty-state.css';

interface EmptyStateProps {
  icon: ReactNode;
  title: string;
  text: ReactNode;
  action?: ReactNode;
  children?: ReactNode;
}

/** In place of an empty list: what it is for and how to fill it. */
export function EmptyState({ icon, title, text, action, children }: EmptyStateProps) {
  return (
    <section className="gh-empty">
      <div className="gh-empty-icon" aria-hidden="true">
        {icon}
      </div>
      <h2>{title}</h2>
      <p>{text}</p>
      {action === undefined ? null : <div className="gh-empty-action">{action}</div>}
      {children}
    </section>
  );
}
