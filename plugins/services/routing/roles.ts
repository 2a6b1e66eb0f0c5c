/** From this role on a user may use every group and every enabled route, and name a channel behind the key. */
export const roleOfAdmins = 10
