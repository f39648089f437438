// SPDX-License-Identifier: GPL-2.0
/*
 * shop.c - sells things
 */
#include <linux/kernel.h>
#include "shop/cart.h"

#define LIMIT 10
#define NAME "shop"
#define MAX(a, b) \
	((a) > (b) ? (a) : (b))

typedef unsigned long id_t;

/* A cart. */
struct cart {
	struct list_head items;
	int (*open)(struct cart *c);
};

typedef struct {
	int x, y;
} point_t;

enum color { RED, BLUE };

union value {
	int i;
	float f;
};

static int counter;
static const char *names[] = { "a", "b" };

int cart_add(struct cart *c, int item);

/**
 * cart_add - adds one
 * @c: the cart
 */
int cart_add(struct cart *c, int item)
{
	list_add(&c->items, item);
	return MAX(item, counter);
}
EXPORT_SYMBOL(cart_add);

static inline struct cart *
cart_new(void)
{
	return kmalloc(sizeof(struct cart), GFP_KERNEL);
}

#ifdef CONFIG_SHOP
void *shop_alloc(size_t n) { return kzalloc(n, GFP_KERNEL); }
#else
void *shop_alloc(size_t n)
{
	return NULL;
}
#endif

static const struct file_operations shop_fops = {
	.owner = THIS_MODULE,
	.open = shop_open,
};
module_init(shop_init);
