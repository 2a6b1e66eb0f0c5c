/** States of orders in colours, the same wherever orders are shown. */
export const orderTones = {
  pending: 'info',
  success: 'good',
  failed: 'bad',
  expired: 'quiet',
  refunded: 'warn',
} as const
