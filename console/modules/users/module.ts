/** Users: who may use the gateway, what they have left, and what admins do for and to them. */
import { Users } from '@lucide/vue'
import { defineModule } from '../../shell/module.js'

const title = { en: 'Users', zh: '用户' }

export default defineModule({
  id: 'users',
  routes: [
    {
      path: '/users',
      name: 'users',
      title,
      frame: 'app',
      role: 10,
      page: () => import('./users-page.vue'),
    },
    {
      path: '/users/new',
      name: 'users.new',
      title: { en: 'New user', zh: '新建用户' },
      frame: 'app',
      role: 10,
      page: () => import('./new-user-page.vue'),
    },
    {
      path: '/users/:id(\\d+)',
      name: 'users.edit',
      title: { en: 'User', zh: '用户' },
      frame: 'app',
      role: 10,
      page: () => import('./user-page.vue'),
    },
  ],
  menu: [{ route: 'users', title, icon: Users, section: 'operate', order: 50, role: 10 }],
  texts: { en: () => import('./locales/en.js'), zh: () => import('./locales/zh.js') },
})
