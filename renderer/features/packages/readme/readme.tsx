import { Typography } from '@mantine/core';
import { useMemo, type MouseEvent } from 'react';
import { openExternal } from '../../../api/app.ts';
import { readmeHtml, readmeIdPrefix } from './readme-html.ts';
import './readme.css';

/** A README, rendered offline. Loaded on demand, hence the default export. */
export default function Readme({ markdown }: { markdown: string }) {
  const html = useMemo(() => ({ __html: readmeHtml(markdown) }), [markdown]);
  // Web links open in the browser, anchors scroll, and nothing navigates the window.
  const onClick = (event: MouseEvent<HTMLElement>) => {
    const link = (event.target as Element).closest('a');
    if (link === null) return;
    event.preventDefault();
    const address = link.getAttribute('href') ?? '';
    if (address.startsWith('#')) {
      const id = readmeIdPrefix + decode(address.slice(1));
      event.currentTarget.querySelector(`[id="${CSS.escape(id)}"]`)?.scrollIntoView({ block: 'start' });
    } else if (/^https?:/i.test(address)) {
      void openExternal(address);
    }
  };
  return (
    <Typography>
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- the clicks bubble up from links */}
      <article className="gh-readme" aria-label="Readme" onClick={onClick} dangerouslySetInnerHTML={html} />
    </Typography>
  );
}

function decode(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
