/** Where a sign-in leads that named no other place (AUTH-8). */
export const home = '/dashboard'
