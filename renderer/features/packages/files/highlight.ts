import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import css from 'highlight.js/lib/languages/css';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';

for (const [name, language] of Object.entries({ bash, css, javascript, json, typescript, xml, yaml })) {
  hljs.registerLanguage(name, language);
}
hljs.registerAliases(['console', 'shell', 'shellsession'], { languageName: 'bash' });

/** Longer texts are shown plain, since highlighting would block the page. */
const highlightedCharacters = 120_000;

const endings = {
  javascript: 'js cjs mjs jsx',
  typescript: 'ts cts mts tsx',
  json: 'json map',
  css: 'css',
  xml: 'html svg xml',
  yaml: 'yml yaml',
  bash: 'sh',
};
const languagesByEnding = new Map(
  Object.entries(endings).flatMap(([language, all]) => all.split(' ').map((ending) => [ending, language] as const)),
);

/** The language of a file by its name; undefined for those that are shown plain. */
export function languageOf(path: string): string | undefined {
  return languagesByEnding.get(path.slice(path.lastIndexOf('.') + 1).toLowerCase());
}

/** Coloured HTML of a text, everything in it escaped; undefined for unknown languages and for texts that are too long. */
export function highlightHtml(text: string, language: string): string | undefined {
  if (hljs.getLanguage(language) === undefined || text.length > highlightedCharacters) return undefined;
  return hljs.highlight(text, { language, ignoreIllegals: true }).value;
}

/** The lines of a text as HTML, coloured where the language is known. A colour over several lines is repeated on each. */
export function highlightLines(text: string, path: string): string[] {
  const language = languageOf(path);
  const html = (language === undefined ? undefined : highlightHtml(text, language)) ?? escapeHtml(text);
  const open: string[] = [];
  return html.split('\n').map((line) => {
    const before = open.join('');
    for (const [tag] of line.matchAll(/<span[^>]*>|<\/span>/g)) {
      if (tag === '</span>') open.pop();
      else open.push(tag);
    }
    return before + line + '</span>'.repeat(open.length);
  });
}

/** Text as HTML that shows just that text. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
