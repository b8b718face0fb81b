/** `const require_name = require("./file.js");` as the bundler writes it for each chunk that a chunk needs. */
const chunkRequire = /^(?:const|let|var) (require_[\w$]+) = (require\("\.\/[^"]+"\));$/gm;

/**
 * Lets a CommonJS chunk load the others when it first uses something of theirs, and not before it runs itself. What a server never does
 * (or does an hour later) then takes neither time at its start nor memory. Right for chunks whose top level only declares things;
 * one that uses another at its top level loads it there and then, as before.
 *
 * @param code a chunk as the bundler wrote it, before it is minified
 */
export function withLazyRequires(code: string): string {
  const names: string[] = [];
  const head = code.replaceAll(chunkRequire, (_line, name: string, call: string) => {
    names.push(name);
    return `let ${name}$loaded; const ${name} = () => (${name}$loaded ??= ${call});`;
  });
  return names.reduce((text, name) => {
    // A member of something else that happens to have the name is none of ours; what is spread is.
    const word = `(?<![\\w$]|(?<!\\.\\.)\\.)${name.replaceAll('$', String.raw`\$`)}`;
    const lazy = text
      // "new a().B()" would make an a.
      .replaceAll(new RegExp(`\\bnew ${word}(?<member>\\.[\\w$]+)`, 'g'), `new (${name}()$<member>)`)
      .replaceAll(new RegExp(`${word}(?=[.[])`, 'g'), `${name}()`);
    const left = new RegExp(`${word}(?!\\(\\)|\\$loaded| = \\(\\) =>|[\\w$]|:)`).exec(lazy);
    if (left) throw new Error(`A use of a chunk that is not understood: ${lazy.slice(left.index, left.index + 80)}`);
    return lazy;
  }, head);
}
