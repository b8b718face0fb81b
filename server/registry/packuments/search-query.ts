/** A search, parsed from the one text that npm sends. */
export interface SearchQuery {
  /** Words that all have to be there. */
  readonly terms: readonly string[];
  /** One list for each `keywords:`; of each at least one keyword has to be there. */
  readonly keywords: readonly (readonly string[])[];
  /** With the at sign; at least one has to fit. */
  readonly scopes: readonly string[];
  /** User names; each has to be a maintainer or the publisher. */
  readonly people: readonly string[];
  /** Undefined to find both. */
  readonly deprecated: boolean | undefined;
  /** Whether the text holds only what no package can match, such as a lone punctuation mark. */
  readonly impossible: boolean;
}

const longestText = 1000;
const mostTerms = 20;

/**
 * Reads the search text of npm clients: words, and the qualifiers `keywords:a,b`, `scope:name`, `author:name`, `maintainer:name`,
 * `is:deprecated` and `not:deprecated`. A qualifier that is unknown is read as a word.
 */
export function parseSearchText(text: string): SearchQuery {
  const terms: string[] = [];
  const keywords: string[][] = [];
  const scopes: string[] = [];
  const people: string[] = [];
  let deprecated: boolean | undefined;
  let meaningless = 0;
  for (const word of text.slice(0, longestText).split(/\s+/)) {
    const [, qualifier = '', value = ''] =
      /^(keywords|scope|author|maintainer|publisher|is|not):(.+)$/i.exec(word) ?? [];
    switch (qualifier.toLowerCase()) {
      case 'keywords':
        keywords.push(value.split(',').filter((keyword) => keyword !== ''));
        continue;
      case 'scope':
        scopes.push(`@${value.replace(/^@/, '')}`);
        continue;
      case 'author':
      case 'maintainer':
      case 'publisher':
        people.push(value.replace(/^[@=]/, ''));
        continue;
      case 'is':
      case 'not':
        if (value.toLowerCase() === 'deprecated') deprecated = qualifier.toLowerCase() === 'is';
        // What is unstable or insecure is nothing that this registry judges; the rest of the text still counts.
        continue;
    }
    if (word === '') continue;
    if (/[\p{L}\p{N}]/u.test(word)) {
      if (terms.length < mostTerms) terms.push(word);
    } else meaningless += 1;
  }
  const asksNothing = terms.length + keywords.length + scopes.length + people.length === 0;
  return { terms, keywords, scopes, people, deprecated, impossible: asksNothing && meaningless > 0 };
}
