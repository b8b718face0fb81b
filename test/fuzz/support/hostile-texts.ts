/** Texts that have broken servers before, in every place where a text can stand. */
export const hostileTexts: readonly string[] = [
  // Empty, and paths.
  ['', ' ', '.', '..', '...', '../', '../../../../etc/passwd', '..\\..\\windows\\win.ini', '/etc/passwd'],
  ['//', 'C:\\boot.ini'],
  // Keys that every object has.
  ['__proto__', 'constructor', 'prototype', 'hasOwnProperty', 'toString', 'valueOf', '__defineGetter__'],
  ['then'],
  // Numbers, and what is none.
  ['0', '-1', '1e9', '1e400', 'NaN', 'Infinity', '00', '0x1', '1.5', '2147483648', '9007199254740993'],
  ['99999999999999999999'],
  // Literals, quotes and SQL.
  ['null', 'undefined', 'true', '[]', '{}', '""', "'", '"', "' OR 1=1 --", "'; DROP TABLE users; --", '%'],
  ['_', '%%', '*'],
  // Control characters, and Unicode that changes when it is normalised.
  ['\u0000', 'a\u0000b', '\n', '\r\n', 'a\r\nSet-Cookie: x=1', '\t', '\u007f', '\u0080', '\u2028', '\ufeff'],
  ['\ud800', '\udfff', '￿', 'é', 'e\u0301', 'İ', 'ß', '𝕏', '👩‍👩‍👧', '‮gnp.exe', '﷽', 'K', 'ſ'],
  // Package names, ranges and versions.
  ['@', '@/', '@scope', '@scope/', '@scope/pkg', '@scope/pkg/', '@SCOPE/PKG', '@@a/b', '@a/b/c', 'pkg'],
  ['PKG', 'pkg@1.0.0', 'node_modules', 'favicon.ico', '-', '--', '-rev', '-/', '~', '^1.0.0', 'latest'],
  ['v1.0.0', '1.0.0', '1.0.0+build', '01.0.0', '1.0', '>=1 <2', '1.0.0-', `1.0.0-${'a.'.repeat(200)}`],
  // Code for templates, shells and browsers.
  ['<script>alert(1)</script>', '${7*7}', '{{7*7}}', '$(id)', '`id`', ';id', '|id', 'file:///etc/passwd'],
  ['http://169.254.169.254/', 'javascript:alert(1)', 'data:,x'],
  // Long texts.
  ['a'.repeat(300), 'a'.repeat(5000), '../'.repeat(500), '@'.repeat(1000), '-'.repeat(2000)],
  ['0'.repeat(2000), ' '.repeat(2000), 'é'.repeat(1000), '[]'.repeat(500), '%2e'.repeat(500)],
].flat();
