import { chooseInMenu } from './app-menu.ts';
import { expect, test } from './fixtures.ts';

test('the page gets exactly the keys of the bridge', async ({ gatehouse }) => {
  const keys = await gatehouse.page.evaluate(() => ({
    bridge: Object.keys(window.gatehouse).sort(),
    app: Object.keys(window.gatehouse.app).sort(),
    updates: Object.keys(window.gatehouse.updates).sort(),
    node: ['require', 'process', 'module', 'Buffer', 'global', 'electron', 'ipcRenderer'].filter(
      (name) => name in window,
    ),
    frozen: [window.gatehouse, window.gatehouse.app, window.gatehouse.updates].every((part) => Object.isFrozen(part)),
  }));
  expect(keys).toEqual({
    bridge: ['app', 'call', 'dateLocale', 'onEvent', 'updates'],
    app: [
      'chooseFile',
      'chooseFolder',
      'chooseNewFile',
      'copyText',
      'downloadTarball',
      'info',
      'log',
      'moveDataFolder',
      'onCommand',
      'onSettings',
      'onState',
      'openDataFolder',
      'openExternal',
      'recoverBackup',
      'recoverSnapshot',
      'recoverySnapshots',
      'removeFormerDataFolder',
      'repairData',
      'restart',
      'retry',
      'saveSettings',
      'saveText',
      'settings',
      'showBackup',
      'showBackupFolder',
      'showDataFolder',
      'showNewFile',
      'showTarball',
      'state',
      'stopMove',
      'stopRecovery',
    ],
    updates: ['cancel', 'check', 'download', 'onState', 'state'],
    node: [],
    frozen: true,
  });
});

test('a listener hears data and no event object', async ({ gatehouse }) => {
  const { app, page } = gatehouse;
  await page.evaluate(() => {
    window.gatehouse.app.onCommand(
      (...args: unknown[]) => (document.documentElement.dataset['heard'] = JSON.stringify(args)),
    );
  });
  await chooseInMenu(app, 'Environments');
  await page.waitForFunction(() => document.documentElement.dataset['heard'] === '["show-environments"]');
});

test('the page can fetch nothing, not even the registry', async ({ gatehouse }) => {
  const { page, origin, complaints } = gatehouse;
  const outcomes = await page.evaluate(async (registry) => {
    const outcome = (promise: Promise<unknown>): Promise<string> =>
      promise.then(
        () => 'reached',
        () => 'refused',
      );
    const socket = new Promise((resolve, reject) => {
      const opened = new WebSocket(registry.replace('http:', 'ws:'));
      opened.addEventListener('open', resolve);
      opened.addEventListener('error', reject);
    });
    const image = new Promise((resolve, reject) => {
      const element = new Image();
      element.addEventListener('load', resolve);
      element.addEventListener('error', reject);
      element.src = `${registry}/-/health`;
    });
    const script = new Promise((resolve, reject) => {
      const element = document.createElement('script');
      element.addEventListener('load', resolve);
      element.addEventListener('error', reject);
      element.src = `${registry}/x.js`;
      document.head.append(element);
    });
    return {
      fetch: await outcome(fetch(`${registry}/-/health`)),
      self: await outcome(fetch('app://gatehouse/index.html')),
      socket: await outcome(socket),
      image: await outcome(image),
      script: await outcome(script),
    };
  }, origin);
  expect(outcomes).toEqual({
    fetch: 'refused',
    self: 'refused',
    socket: 'refused',
    image: 'refused',
    script: 'refused',
  });
  // The refusals themselves are told on the console.
  expect(complaints.length).toBeGreaterThan(0);
  complaints.length = 0;
});

test('the page runs no inline script and no eval', async ({ gatehouse }) => {
  const { page, complaints } = gatehouse;
  const ran = await page.evaluate(() => {
    const element = document.createElement('script');
    element.textContent = 'window.inlineRan = true';
    document.head.append(element);
    const holder = document.createElement('div');
    holder.innerHTML = '<img src="x:" onerror="window.handlerRan = true">';
    document.body.append(holder);
    return { inline: 'inlineRan' in window, handler: 'handlerRan' in window };
  });
  expect(ran).toEqual({ inline: false, handler: false });
  const policy = await page.evaluate(
    () =>
      new Promise<string>((resolve) => {
        document.addEventListener('securitypolicyviolation', (event) => resolve(event.originalPolicy), { once: true });
        const style = document.createElement('style');
        style.textContent = 'body { color: red }';
        document.head.append(style);
      }),
  );
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("connect-src 'none'");
  complaints.length = 0;
});

test('the nonce of the styles is new at every load', async ({ gatehouse }) => {
  const nonce = (): Promise<string> =>
    gatehouse.page.evaluate(() => document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '');
  const first = await nonce();
  await gatehouse.page.reload();
  const second = await nonce();
  expect(first).toMatch(/^[\w+/]{24}$/);
  expect(second).not.toBe(first);
});

for (const target of [
  'https://example.test/',
  'http://127.0.0.1:1/',
  'file:///etc/passwd',
  'app://elsewhere/',
  'data:text/html,x',
]) {
  test(`the page cannot be led to ${target}`, async ({ gatehouse }) => {
    const { page, app, complaints } = gatehouse;
    const before = page.url();
    await page.evaluate((url) => {
      window.open(url);
      const link = document.createElement('a');
      link.href = url;
      document.body.append(link);
      link.click();
      link.target = '_blank';
      link.click();
      const frame = document.createElement('iframe');
      frame.src = url;
      document.body.append(frame);
      location.assign(url);
    }, target);
    // A call through the bridge comes after all of the above in the page's own order.
    await page.evaluate(() => window.gatehouse.app.state());
    expect(page.url()).toBe(before);
    expect(app.windows()).toHaveLength(1);
    expect(
      page.frames().filter((frame) => !['', 'about:blank', before].includes(frame.url()) && frame.url() === target),
    ).toEqual([]);
    complaints.length = 0;
  });
}

test('a page that got to about:blank is brought back', async ({ gatehouse }) => {
  const { page } = gatehouse;
  const before = page.url();
  await page.evaluate(() => location.assign('about:blank'));
  await page.waitForURL(before);
  await page.waitForFunction(() => 'gatehouse' in window);
});

test('a frame inside the page has no bridge', async ({ gatehouse }) => {
  const { page, complaints } = gatehouse;
  const bridged = await page.evaluate(() => {
    const frame = document.createElement('iframe');
    document.body.append(frame);
    return frame.contentWindow !== null && 'gatehouse' in frame.contentWindow;
  });
  expect(bridged).toBe(false);
  complaints.length = 0;
});

test('permissions are denied', async ({ gatehouse }) => {
  const states = await gatehouse.page.evaluate(async () => {
    const names = ['geolocation', 'notifications', 'camera', 'microphone', 'clipboard-read'];
    return Promise.all(
      names.map((name) => navigator.permissions.query({ name: name as PermissionName }).then((status) => status.state)),
    );
  });
  expect(new Set(states)).toEqual(new Set(['denied']));
  const clipboard = await gatehouse.page.evaluate(() =>
    navigator.clipboard.readText().then(
      () => 'read',
      () => 'refused',
    ),
  );
  expect(clipboard).toBe('refused');
});

test('calls that are not in the contract, or not for a window, are refused', async ({ gatehouse }) => {
  const replies = await gatehouse.page.evaluate(async () => {
    const call = window.gatehouse.call as (
      method: unknown,
      params: unknown,
    ) => Promise<{ ok: boolean; error?: { code: string } }>;
    const settled = (promise: Promise<unknown>): Promise<string> =>
      promise.then(
        () => 'accepted',
        () => 'refused',
      );
    return {
      unknown: (await call('server.shutdown', {})).error?.code,
      prototype: (await call('toString', {})).error?.code,
      commandLine: (await call('environments.exportRules', { projectId: 1 })).error?.code,
      notAName: await settled(call({ toString: () => 'packages.list' }, {})),
      params: (await call('packages.get', { packageId: '1; drop table packages' })).error?.code,
      settings: await settled(window.gatehouse.app.saveSettings({ port: 99_999 })),
      extra: await settled(window.gatehouse.app.saveSettings({ nodeIntegration: true } as object)),
      link: await window.gatehouse.app.openExternal('file:///etc/passwd'),
      file: await settled(window.gatehouse.app.saveText({ title: 'Save', suggestedName: '../.bashrc' }, 'x')),
    };
  });
  expect(replies).toEqual({
    unknown: 'invalid_request',
    prototype: 'invalid_request',
    commandLine: 'invalid_request',
    notAName: 'refused',
    params: 'invalid_request',
    settings: 'refused',
    extra: 'refused',
    link: false,
    file: 'refused',
  });
});

test('every window is isolated, sandboxed and without Node', async ({ gatehouse }) => {
  const preferences = await gatehouse.app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().map((window) => {
      const contents = window.webContents as unknown as { getLastWebPreferences(): Record<string, unknown> };
      const { contextIsolation, sandbox, nodeIntegration, webSecurity, webviewTag } = contents.getLastWebPreferences();
      return { contextIsolation, sandbox, nodeIntegration, webSecurity, webviewTag };
    }),
  );
  expect(preferences).toEqual([
    {
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      webSecurity: true,
      webviewTag: false,
    },
  ]);
});
