import type { Vendor } from './vendor.js'

/** Nothing beyond the documented format is known of it. */
export const gemini: Vendor = { name: 'Gemini', type: 24, models: ['gemini-3-pro'], rules: [] }
