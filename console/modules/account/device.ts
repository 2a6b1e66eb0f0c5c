/** What a browser calls itself, in words people know. Whatever it is, nothing depends on it. */

const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bChrome\/|\bCriOS\/|\bHeadlessChrome\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]

const systems: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

export interface Device {
  readonly browser: string
  readonly system: string
}

/** Empty where it is unknown; scripts are shown by what stands before the first slash. */
export function deviceOf(userAgent: string): Device {
  const named = (known: typeof browsers) => known.find(([sign]) => sign.test(userAgent))?.[1] ?? ''
  const browser = named(browsers) || (/^[\w.-]{1,40}(?=\/|$)/.exec(userAgent)?.[0] ?? '')
  return { browser, system: named(systems) }
}
