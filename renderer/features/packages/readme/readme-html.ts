import DOMPurify from 'dompurify';
import { Marked, type Tokens } from 'marked';
import { escapeHtml, highlightHtml } from '../files/highlight.ts';

/** Prefix of ids in a README, so that none is equal to one of the window's. */
export const readmeIdPrefix = 'readme-';

const markdownParser = new Marked({
  gfm: true,
  renderer: {
    code({ text, lang }: Tokens.Code) {
      const language = (lang ?? '').split(/[\s,{]/)[0]?.toLowerCase() ?? '';
      const html = highlightHtml(text, language) ?? escapeHtml(text);
      return `<pre tabindex="0"><code class="hljs">${html}</code></pre>\n`;
    },
    heading({ tokens, depth }: Tokens.Heading) {
      const id =
        readmeIdPrefix + slug(tokens.map((token) => ('text' in token ? String(token.text) : token.raw)).join(''));
      // The name of the package is the heading of the page; a README begins one level below it.
      const level = Math.min(6, depth + 1);
      return `<h${level} id="${escapeHtml(id)}">${this.parser.parseInline(tokens)}</h${level}>\n`;
    },
    checkbox({ checked }: Tokens.Checkbox) {
      return `<span class="gh-task" role="img" aria-label="${checked ? 'done' : 'to do'}">${checked ? '☑' : '☐'}</span> `;
    },
    table({ header, rows }: Tokens.Table) {
      const cells = (row: Tokens.TableCell[], tag: 'th' | 'td') =>
        `<tr>${row.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('')}</tr>`;
      const body = rows.map((row) => cells(row, 'td')).join('');
      return `<div class="gh-readme-table" tabindex="0"><table><thead>${cells(header, 'th')}</thead><tbody>${body}</tbody></table></div>\n`;
    },
  },
});

const purifier = DOMPurify();
purifier.addHook('uponSanitizeElement', (node) => {
  if (!(node instanceof Element) || node.tagName !== 'IMG') return;
  // Images are never fetched; their alternative text stays.
  const words = node.getAttribute('alt')?.trim() ?? '';
  const stand = node.ownerDocument.createElement('span');
  stand.className = 'gh-readme-image';
  stand.textContent = words;
  node.replaceWith(stand);
});
purifier.addHook('afterSanitizeAttributes', (node) => {
  if (!node.hasAttribute('class')) return;
  const kept = [...node.classList].filter((name) => name.startsWith('hljs') || name.startsWith('gh-'));
  if (kept.length > 0) node.setAttribute('class', kept.join(' '));
  else node.removeAttribute('class');
});

/**
 * The HTML of a README, safe to put into the page: no scripts, styles, forms, frames, pictures or handlers, no ids that shadow the
 * window's own, and links only to the web, to mail and within the README. The rendered elements are sanitised, not the Markdown.
 */
export function readmeHtml(markdown: string): string {
  return purifier.sanitize(markdownParser.parse(markdown, { async: false }), {
    USE_PROFILES: { html: true },
    FORBID_TAGS:
      'style form input button select textarea option dialog video audio picture source track map area template slot font marquee'.split(
        ' ',
      ),
    FORBID_ATTR: 'style name action background srcset src poster target popover popovertarget'.split(' '),
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: true,
    ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|#|(?![a-z][a-z0-9+.-]*:))/i,
    SANITIZE_DOM: true,
  });
}

/** The anchor of a heading, as GitHub and GitLab make it, so that a README's table of contents works. */
export function slug(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/<[^>]*>/g, '')
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');
}
