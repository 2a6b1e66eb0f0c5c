/** States of subscriptions in colours. */
export const subscriptionTones = { active: 'good', expired: 'quiet', cancelled: 'warn' } as const
