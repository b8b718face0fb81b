// @vitest-environment jsdom
import { describe, expect, it } from 'vitest';
import { readmeHtml, slug } from './readme-html.ts';

/** The rendered README as elements, looked at the way a browser would. */
function rendered(markdown: string): HTMLElement {
  const host = document.createElement('div');
  host.innerHTML = readmeHtml(markdown);
  return host;
}

const hostile = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<img src="https://tracker.example/p.png" alt="logo">',
  '![logo](https://tracker.example/p.png)',
  '[click](javascript:alert(1))',
  '[click](JaVaScRiPt:alert(1))',
  '[click](java\tscript:alert(1))',
  '[click](&#106;avascript:alert(1))',
  '[click](data:text/html;base64,PHNjcmlwdD4=)',
  '[click](vbscript:msgbox)',
  '[click](file:///etc/passwd)',
  '<a href="app://gatehouse/index.html" onclick="alert(1)">x</a>',
  '<svg onload=alert(1)><script>alert(1)</script></svg>',
  '<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>',
  '<iframe src="https://evil.example"></iframe>',
  '<object data="https://evil.example"></object><embed src="https://evil.example">',
  '<form action="https://evil.example"><input name=q><button>Send</button></form>',
  '<style>body { display: none }</style>',
  '<div style="position:fixed;inset:0">cover</div>',
  '<link rel=stylesheet href="https://evil.example/x.css"><meta http-equiv=refresh content="0;url=https://evil.example">',
  '<base href="https://evil.example/">',
  '<video src="https://evil.example/v.mp4" autoplay></video>',
  '<details open ontoggle=alert(1)><summary>x</summary></details>',
  '<a name="gatehouse" id="root">clobber</a>',
  '```html\n<img src=x onerror=alert(1)>\n```',
  '```"><img src=x onerror=alert(1)>\nx\n```',
  '# <img src=x onerror=alert(1)>',
  '| a |\n|---|\n| <img src=x onerror=alert(1)> |',
];

describe('readmeHtml', () => {
  it.each(hostile)('takes the sting out of %j', (markdown) => {
    const host = rendered(markdown);
    expect(
      host.querySelectorAll(
        'script,style,img,svg,math,iframe,object,embed,form,input,button,link,meta,base,video,audio,[style],[src],[name]',
      ),
    ).toHaveLength(0);
    for (const element of host.querySelectorAll('*')) {
      for (const { name, value } of element.attributes) {
        expect(name).not.toMatch(/^on/i);
        if (name === 'href') expect(value).toMatch(/^(https?:|mailto:|#)/);
      }
    }
  });

  it('keeps what an author meant', () => {
    const host = rendered(
      '# Title\n\nText with `code`, **bold** and a [link](https://example.com).\n\n- [x] done\n- [ ] open',
    );
    expect(host.querySelector('h2')?.id).toBe('readme-title');
    expect(host.querySelector('strong')?.textContent).toBe('bold');
    expect(host.querySelector('a')?.getAttribute('href')).toBe('https://example.com');
    expect([...host.querySelectorAll('.gh-task')].map((each) => each.getAttribute('aria-label'))).toEqual([
      'done',
      'to do',
    ]);
  });

  it('shows the words of a picture and fetches nothing', () => {
    const host = rendered('![Build passing](https://ci.example/badge.svg)');
    expect(host.textContent).toContain('Build passing');
    expect(host.innerHTML).not.toContain('ci.example');
  });

  it('colours the languages it knows and leaves the others as they are', () => {
    expect(rendered('```js\nconst a = 1;\n```').querySelector('.hljs-keyword')?.textContent).toBe('const');
    expect(rendered('```brainfog\nconst <b>\n```').querySelector('code')?.textContent).toBe('const <b>');
  });

  it('gives headings the anchors that tables of contents use', () => {
    expect(slug('What’s new in 2.0?')).toBe('whats-new-in-20');
    expect(slug('API: `get()`')).toBe('api-get');
  });

  const disguises = [
    '<h1 id="readme-root" class="gh-brand" role="alert" tabindex="1" aria-label="x" accesskey="s">x</h1>',
    '<label for="search">Password</label> <span class="gh-task" role="img">x</span>',
    '<div class="mantine-Modal-root gh-dialog" role="dialog" aria-modal="true" part="x" slot="y">x</div>',
    '<p data-own="" class="gh-notice" role="status">x</p>',
    '<dialog open>x</dialog><fieldset><legend>x</legend><output name=x>y</output></fieldset>',
    '<p class="hljs hljs-keyword">x</p><code><span class="hljs-keyword gh-notice">x</span></code>',
    '<bdo dir="rtl">drowssap</bdo><span contenteditable draggable="true">x</span>',
  ];
  it.each(disguises)('leaves nothing that passes for a part of the window in %j', (markdown) => {
    const host = rendered(markdown);
    expect(host.querySelectorAll('label,dialog,fieldset,legend,output,bdo')).toHaveLength(0);
    for (const element of host.querySelectorAll('*'))
      expect([...element.attributes].map(({ name }) => name).filter((name) => name !== 'dir')).toEqual([]);
    expect(host.textContent).toMatch(/x|drowssap/);
  });

  it('shows characters that reverse or hide text as marks, also those that were written as entities', () => {
    const { textContent } = rendered('a\u202eb\u0007 `c\u2066d` &#x202e;e&#x200b;f 👩‍💻');
    expect(textContent).toBe('a�b� c�d �e�f 👩‍💻\n');
  });

  it.each([
    ['quotes', '>'.repeat(5000)],
    ['quotes with spaces', '> '.repeat(5000)],
    ['lists', '- '.repeat(5000)],
    ['numbered lists', '1. '.repeat(5000)],
    ['lists by their indent', Array.from({ length: 300 }, (_, depth) => `${' '.repeat(depth * 2)}- a`).join('\n')],
    ['quotes and lists', '> - 1. '.repeat(5000)],
    ['quotes in a list that begin late', `text\n\n${'> '.repeat(20)}${'- '.repeat(3000)}x`],
    ['list items', '* a\n'.repeat(16_000)],
    ['elements', '<div>'.repeat(16_000)],
  ])('shows %s without end as they were written', (_what, markdown) => {
    const host = rendered(markdown);
    expect(host.querySelectorAll('*')).toHaveLength(1);
    expect(host.querySelector('pre')?.textContent.trim()).toBe(markdown.trim());
  });

  it('looks for emphasis in paragraphs that a person wrote, not in those of ten thousand characters', () => {
    const host = rendered(`**bold**\n\n${'**a** '.repeat(3000)}\n\n<b>x</b> **more**`);
    expect([...host.querySelectorAll('strong')].map((each) => each.textContent)).toEqual(['bold', 'more']);
    expect(host.querySelectorAll('p')).toHaveLength(3);
  });

  it('shows the first part of a README that is very long, and says so', () => {
    const host = rendered('word '.repeat(300_000));
    expect(host.textContent.length).toBeLessThan(210_000);
    expect(host.textContent).toContain('The rest of this README is not shown');
  });
});
