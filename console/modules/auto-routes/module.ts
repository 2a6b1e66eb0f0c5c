/** Auto routes: chains of groups people select by name. */
import { Route } from '@lucide/vue'
import { defineModule } from '../../shell/module.js'

const title = { en: 'Auto routes', zh: '自动路由' }

export default defineModule({
  id: 'auto-routes',
  routes: [
    {
      path: '/auto-routes',
      name: 'auto-routes',
      title,
      frame: 'app',
      role: 10,
      page: () => import('./auto-routes-page.vue'),
    },
  ],
  menu: [
    {
      route: 'auto-routes',
      title,
      icon: Route,
      section: 'operate',
      order: 25,
      role: 10,
      under: 'channels',
    },
  ],
  texts: { en: () => import('./locales/en.js'), zh: () => import('./locales/zh.js') },
})
