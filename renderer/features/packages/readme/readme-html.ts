import DOMPurify from 'dompurify';
import { Lexer, Marked, type Token, type Tokens } from 'marked';
import { hideControls } from '../../../../server/contract/printable.ts';
import { escapeHtml, highlightHtml } from '../files/highlight.ts';

/** Prefix of ids in a README, so that none is equal to one of the window's. */
export const readmeIdPrefix = 'readme-';

/** Characters that are formatted; what is behind them, and nesting that no author means, freezes a window. */
const longestFormatted = 200_000;
/** Elements that are laid out within a second or two; large READMEs have some thousands. */
const mostElements = 15_000;
/** Quotes and lists within one another, by their markers in one line or by the depth of a list item. */
const tooDeep = /^(?:[ \t]{0,20}(?:>|(?:[*+-]|\d{1,9}[.)])[ \t])){33}|^[ \t]{100,}(?:[*+-]|\d{1,9}[.)])[ \t]/m;
/** Characters of one paragraph, and milliseconds of all, in which emphasis and links are looked for. */
const longestParagraph = 10_000;
const inlineTime = 250;

/** An attribute with a value that no README knows marks the elements that are made here. */
const markName = 'data-own';
let mark = '';

const markdownParser = new Marked({
  gfm: true,
  renderer: {
    code({ text, lang }: Tokens.Code) {
      const language = (lang ?? '').split(/[\s,{]/)[0]?.toLowerCase() ?? '';
      const html = highlightHtml(text, language) ?? escapeHtml(text);
      return `<pre ${own()} tabindex="0"><code ${own()} class="hljs">${html}</code></pre>\n`;
    },
    heading({ tokens, depth }: Tokens.Heading) {
      const id =
        readmeIdPrefix + slug(tokens.map((token) => ('text' in token ? String(token.text) : token.raw)).join(''));
      // The name of the package is the heading of the page; a README begins one level below it.
      const level = Math.min(6, depth + 1);
      return `<h${level} ${own()} id="${escapeHtml(id)}">${this.parser.parseInline(tokens)}</h${level}>\n`;
    },
    checkbox({ checked }: Tokens.Checkbox) {
      return `<span ${own()} class="gh-task" role="img" aria-label="${checked ? 'done' : 'to do'}">${checked ? '☑' : '☐'}</span> `;
    },
    table({ header, rows }: Tokens.Table) {
      const cells = (row: Tokens.TableCell[], tag: 'th' | 'td') =>
        `<tr>${row.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('')}</tr>`;
      const body = rows.map((row) => cells(row, 'td')).join('');
      return `<div ${own()} class="gh-readme-table" tabindex="0"><table><thead>${cells(header, 'th')}</thead><tbody>${body}</tbody></table></div>\n`;
    },
  },
});

function own(): string {
  return `${markName}="${mark}"`;
}

/** Looks for emphasis and links as long as there is time; what is left then is shown as it was written. */
class BoundedLexer extends Lexer {
  override lex(source: string): Lexer['tokens'] {
    this.blockTokens(source.replace(/\r\n|\r/g, '\n'), this.tokens);
    const end = performance.now() + inlineTime;
    for (const { src, tokens } of this.inlineQueue.splice(0)) {
      const isBounded = src.length <= longestParagraph && performance.now() < end;
      if (isBounded) this.inlineTokens(src, tokens);
      else tokens.push({ type: 'text', raw: src, text: src, escaped: false } satisfies Token);
    }
    return this.tokens;
  }
}

const ownNodes = new WeakSet<Node>();
const purifier = DOMPurify();
purifier.addHook('uponSanitizeElement', (node) => {
  if (!(node instanceof Element) || node.tagName !== 'IMG') return;
  // Images are never fetched; their alternative text stays.
  const words = node.getAttribute('alt')?.trim() ?? '';
  const stand = node.ownerDocument.createElement('span');
  stand.className = 'gh-readme-image';
  stand.setAttribute(markName, mark);
  stand.textContent = words;
  node.replaceWith(stand);
});
purifier.addHook('beforeSanitizeAttributes', (node) => {
  if (!(node instanceof Element)) return;
  if (node.getAttribute(markName) === mark) ownNodes.add(node);
  // Of a README's own attributes only the colours of code are kept; the others are those of the window's parts.
  else if (/^hljs-[a-z_]+(?: [a-z]+_+)*$/.test(node.getAttribute('class') ?? '') && node.closest('code'))
    ownNodes.add(node);
});
purifier.addHook('uponSanitizeAttribute', (node, attribute) => {
  if (!/^(?:id|class|role|tabindex|aria-.*)$/.test(attribute.attrName)) return;
  if (ownNodes.has(node)) attribute.forceKeepAttr = true;
  else attribute.keepAttr = false;
});
purifier.addHook('afterSanitizeAttributes', (node) => {
  const title = node.getAttribute('title');
  if (title === null) return;
  // The window has a tooltip of its own.
  node.removeAttribute('title');
  node.setAttribute('data-tip', title);
});

/**
 * The HTML of a README, safe to put into the page: no scripts, styles, forms, frames, pictures or handlers, none of the ids, classes and
 * roles that the window's own parts have, and links only to the web, to mail and within the README. The rendered elements are sanitised,
 * not the Markdown. A README that is too long is cut, and one that is nested too deep or has too many elements is shown as it was written.
 */
export function readmeHtml(markdown: string): string {
  const source = markdown.slice(0, longestFormatted);
  mark = crypto.randomUUID();
  const html = purifier.sanitize(tooDeep.test(source) ? asWritten(source) : formatted(source), {
    USE_PROFILES: { html: true },
    FORBID_TAGS:
      'style form input button select textarea option optgroup label fieldset legend output progress meter datalist dialog menu bdo video audio picture source track map area template slot font marquee'.split(
        ' ',
      ),
    FORBID_ATTR:
      'style name for action background srcset src poster target popover popovertarget accesskey contenteditable draggable slot part is'.split(
        ' ',
      ),
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|#|(?![a-z][a-z0-9+.-]*:))/i,
    SANITIZE_DOM: true,
  });
  const note =
    source.length < markdown.length
      ? '<p><em>The rest of this README is not shown here, as it is very long. The Files tab has all of it.</em></p>'
      : '';
  return hideControls(html) + note;
}

function formatted(source: string): string {
  try {
    const html = markdownParser.parser(new BoundedLexer(markdownParser.defaults).lex(source));
    return (html.match(/<[a-z]/gi)?.length ?? 0) > mostElements ? asWritten(source) : html;
  } catch {
    // The parser says of deep nesting only that the stack is full.
    return asWritten(source);
  }
}

function asWritten(source: string): string {
  return `<pre ${own()} tabindex="0">${escapeHtml(source)}</pre>`;
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
