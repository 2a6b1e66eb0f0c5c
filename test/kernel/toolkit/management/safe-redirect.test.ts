/** Where a browser may be sent after a sign-in. */
import t from 'tap'
import { safeRedirect } from '../../../../kernel/toolkit/management/safe-redirect.js'

/** What was requested, and where it leads. */
const kept: Readonly<Record<string, string>> = {
  '/': '/',
  '/dashboard': '/dashboard',
  '/console/token': '/console/token',
  '/console?tab=2&q=a%20b': '/console?tab=2&q=a%20b',
  '/console#models': '/console#models',
  '/a/b/../c': '/a/c',
  '/a/./b': '/a/b',
  '/?next=https://other.example': '/?next=https://other.example',
  '/a:b': '/a:b',
  '/@other.example': '/@other.example',
  '/%2f%2fother.example': '/%2f%2fother.example',
  '/%5cother.example': '/%5cother.example',
  '/模型': '/%E6%A8%A1%E5%9E%8B',
  '/a b': '/a%20b',
  '/a//b': '/a//b',
}

const refused: readonly unknown[] = [
  '',
  'dashboard',
  '../dashboard',
  '?next=/a',
  '#a',
  '//other.example',
  '//other.example/dashboard',
  '///other.example',
  '/\\other.example',
  '\\\\other.example',
  '\\/other.example',
  '/a\\..\\b',
  '/.//other.example',
  '/..//other.example',
  '/a/..//other.example',
  '/%2e%2e//other.example',
  '/./\\other.example',
  '/\t/other.example',
  '/\n/other.example',
  '/\r\nLocation: https://other.example',
  '\t//other.example',
  ' /dashboard',
  '/a\u0000b',
  '/\u2028/other.example',
  'https://other.example',
  'https:/other.example',
  'HTTPS://OTHER.EXAMPLE',
  'http:other.example',
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:msgbox',
  'other.example',
  '@other.example',
  '://other.example',
  `/${'a'.repeat(2048)}`,
  `/${'模'.repeat(1000)}`,
  '/\ud800',
  ['/dashboard'],
  { toString: () => '/console' },
  undefined,
  null,
  7,
]

t.test('[AUTH-9] a path of this site is where the browser goes', async (t) => {
  for (const [wish, path] of Object.entries(kept)) {
    t.equal(safeRedirect(wish), path, JSON.stringify(wish))
    t.equal(new URL(path, 'https://site.example').host, 'site.example')
    t.equal(safeRedirect(path), path, 'and what was made of it stays as it is')
  }
})

t.test('[AUTH-9] anything else becomes /dashboard', async (t) => {
  t.ok(refused.length >= 40)
  for (const wish of refused) {
    t.equal(safeRedirect(wish), '/dashboard', printed(wish))
  }
})

/** ASCII alone: a line break of any kind would end the title of the assertion. */
function printed(wish: unknown): string {
  const text = (JSON.stringify(wish) ?? 'undefined').slice(0, 60)
  return text.replace(/[^\x20-\x7e]/g, (character) => `\\u${character.charCodeAt(0).toString(16)}`)
}
