// A client of W3C WebDriver over fetch, with the dozen requests that the tests need. https://www.w3.org/TR/webdriver2/
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';
/** Longest wait, ms. */
const WITHIN = 60_000;

/** Keys that are not characters, as WebDriver names them (section 17.4.2). */
export const KEY = { enter: '\uE007', escape: '\uE00C', tab: '\uE004', left: '\uE012', right: '\uE014' };

type Element = Record<typeof ELEMENT, string>;

/** A session of WebDriver. All requests reject with the driver's error. */
export class Session {
  private constructor(private readonly base: string) {}

  /** Waits for the driver at an address and starts the program `binary`. */
  static async create(driver: string, options: { binary: string; args: string[] }): Promise<Session> {
    await until(`WebKitWebDriver at ${driver}`, async () => {
      const status = await fetch(`${driver}/status`).catch(() => null);
      return status?.ok === true;
    });
    const capabilities = { alwaysMatch: { 'webkitgtk:browserOptions': options } };
    const { sessionId } = await send<{ sessionId: string }>('POST', `${driver}/session`, { capabilities });
    return new Session(`${driver}/session/${sessionId}`);
  }

  /** Waits for the first element that matches a CSS selector, or an XPath that begins with `//`, and is displayed. */
  async find(selector: string): Promise<Element> {
    const using = selector.startsWith('//') ? 'xpath' : 'css selector';
    let found: Element | null = null;
    await until(selector, async () => {
      found = await this.send<Element>('POST', 'element', { using, value: selector }).catch(() => null);
      return found !== null && this.send<boolean>('GET', `element/${found[ELEMENT]}/displayed`);
    });
    return found as unknown as Element;
  }

  async text(selector: string): Promise<string> {
    return this.send('GET', `element/${(await this.find(selector))[ELEMENT]}/text`);
  }

  async click(selector: string): Promise<void> {
    await this.send('POST', `element/${(await this.find(selector))[ELEMENT]}/click`, {});
  }

  /** Types into an element; `KEY` has the keys that are not characters. */
  async keys(selector: string, text: string): Promise<void> {
    await this.send('POST', `element/${(await this.find(selector))[ELEMENT]}/value`, { text });
  }

  /** Runs the body of a function in the page and returns its value. */
  execute<T>(script: string, ...args: unknown[]): Promise<T> {
    return this.send('POST', 'execute/sync', { script, args });
  }

  /** Waits until the body of a function, run in the page, returns something true. */
  until(what: string, script: string, ...args: unknown[]): Promise<void> {
    return until(what, () => this.execute<boolean>(script, ...args));
  }

  title(): Promise<string> {
    return this.send('GET', 'title');
  }

  /**
   * A screenshot of the window, a PNG. WebKit answers with the next picture that it paints, and without GL it paints
   * none while nothing changes: so the opacity of the page changes, by less than a colour shows.
   */
  async screenshot(): Promise<Buffer> {
    await this.execute(`
      let left = 120;
      const root = document.documentElement;
      const change = () => {
        root.style.opacity = left % 2 ? '0.9999' : '';
        if (left-- > 0) requestAnimationFrame(change);
      };
      change();`);
    return Buffer.from(await this.send<string>('GET', 'screenshot'), 'base64');
  }

  /** Ends the session; the driver closes the app. */
  delete(): Promise<void> {
    return send('DELETE', this.base);
  }

  private send<T>(method: string, path: string, body?: object): Promise<T> {
    return send(method, `${this.base}/${path}`, body);
  }
}

async function send<T>(method: string, url: string, body?: object): Promise<T> {
  const reply = await fetch(url, { method, ...(body && { body: JSON.stringify(body) }) });
  const { value } = (await reply.json()) as { value: T & { error?: string; message?: string } };
  if (!reply.ok) throw new Error(`${method} ${url}: ${value.error ?? reply.statusText}: ${value.message ?? ''}`);
  return value;
}

/** Waits until `test` gives true; throws after {@link WITHIN}, with `what` in the message. */
async function until(what: string, test: () => Promise<boolean>): Promise<void> {
  const start = performance.now();
  while (!(await test())) {
    if (performance.now() - start > WITHIN) throw new Error(`Waited ${String(WITHIN / 1000)} s for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
