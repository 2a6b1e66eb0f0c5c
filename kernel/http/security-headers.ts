/** What the browser is told to refuse, on management answers and on pages (failures.md section E). */

const everywhere = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
} as const

/** Answers of the management API: nothing in them is a page, and nothing may be kept. */
export const apiSecurityHeaders: Readonly<Record<string, string>> = {
  ...everywhere,
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
}

/** Pages of the console. Styles may stand inline because the component library injects them. */
export const pageSecurityHeaders: Readonly<Record<string, string>> = {
  ...everywhere,
  'Content-Security-Policy': [
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; '),
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
}

/** Sent besides where the request came by HTTPS. */
export const transportSecurity = { 'Strict-Transport-Security': 'max-age=31536000' } as const
