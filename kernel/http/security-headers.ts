/** What the browser must refuse, on management answers and on pages (E3). */
import type { Environment } from '../contract/services/system.js'
import type { PageOrigins } from './pages/page-origins.js'

const everywhere = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
} as const

/** Replies that are no pages: a browser that is led to show one loads and runs nothing, and no page frames it. */
export const nothingPolicy = "default-src 'none'; frame-ancestors 'none'"

/** Content of somebody else: a browser may show a picture or a clip, and runs nothing of it. */
export const contentPolicy = [
  "default-src 'none'",
  "img-src 'self'",
  "media-src 'self'",
  "style-src 'unsafe-inline'",
  "frame-ancestors 'none'",
  'sandbox',
].join('; ')

/** Answers of the management API: nothing in them is a page, and nothing may be kept. */
export const apiSecurityHeaders: Readonly<Record<string, string>> = {
  ...everywhere,
  'Cache-Control': 'no-store',
  'Content-Security-Policy': nothingPolicy,
}

/** Pages of the console; `origins`: what they may load from elsewhere, as the operator has switched it on. */
export function pageSecurityHeaders(origins: PageOrigins): Readonly<Record<string, string>> {
  return {
    ...everywhere,
    'Content-Security-Policy': [
      "default-src 'self'",
      ["script-src 'self'", ...origins.script].join(' '),
      ["frame-src 'self'", ...origins.frame].join(' '),
      // The component library puts styles into the page.
      "style-src 'self' 'unsafe-inline'",
      ["img-src 'self' data: blob:", ...origins.image].join(' '),
      "font-src 'self' data:",
      "media-src 'self' blob: data:",
      "connect-src 'self'",
      "worker-src 'self'",
      "object-src 'none'",
      "base-uri 'none'",
      ["form-action 'self'", ...origins.form].join(' '),
      "frame-ancestors 'none'",
    ].join('; '),
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  }
}

/** Files a page is made of. */
export const assetSecurityHeaders: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'same-origin',
}

/** A picture that can hold a script runs none, were it opened as a page. */
export const imageSecurityHeaders: Readonly<Record<string, string>> = {
  ...assetSecurityHeaders,
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
}

/** Sent besides where the request came by HTTPS (RFC 6797; `preload` asks browsers to ship the name in their lists). */
export function transportSecurity(
  reach: Environment['hsts'] = 'host',
): Readonly<Record<string, string>> {
  const words = {
    host: '',
    subdomains: '; includeSubDomains',
    preload: '; includeSubDomains; preload',
  }
  return { 'Strict-Transport-Security': `max-age=31536000${words[reach]}` }
}
