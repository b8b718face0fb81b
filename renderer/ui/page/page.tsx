import { useEffect, type ReactNode } from 'react';
import './page.css';
import { useFirstFocus } from '../forms/use-first-focus.ts';

interface PageProps {
  /** In the header and in the title of the window. */
  title: string;
  /** Shown in the header in place of the title. */
  heading?: ReactNode;
  /** Before the title: the link back. */
  back?: ReactNode;
  /** Beside the title: how many, or a state. */
  count?: ReactNode;
  /** After these: what is out of the ordinary about what the page shows. */
  marks?: ReactNode;
  /** At the right of the header. */
  actions?: ReactNode;
  /** Between the header and the body, as wide as both; it does not scroll. */
  band?: ReactNode;
  /** False for pages that scroll inside and reach the edges. */
  padded?: boolean;
  children: ReactNode;
}

/** A screen: its heading, its actions and a body that scrolls. */
export function Page({ title, heading, back, count, marks, actions, band, padded = true, children }: PageProps) {
  const headline = useFirstFocus();
  useEffect(() => {
    document.title = `${title} · Gatehouse`;
  }, [title]);
  return (
    <div className="gh-page">
      <header className="gh-page-header">
        <div className="gh-page-title">
          {back}
          <h1 ref={headline} tabIndex={-1}>
            {heading ?? title}
          </h1>
          {count === undefined || count === null ? null : <span className="gh-page-count">{count}</span>}
          {marks}
        </div>
        {actions === undefined || actions === null ? null : <div className="gh-page-actions">{actions}</div>}
      </header>
      {band}
      <div className="gh-page-body" data-padded={padded || undefined}>
        {children}
      </div>
    </div>
  );
}
