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
});
