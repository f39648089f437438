#include <vector>
#include "shop/cart.hpp"

namespace shop {
namespace detail {

constexpr int kLimit = 10;

template <typename T>
class Cart final : public Basket<T>, private Seller {
 public:
  explicit Cart(int size) : Basket<T>(size) {}
  ~Cart();

  // Adds one.
  void add(const T& item) {
    items_.push_back(item);
  }

  bool operator==(const Cart& other) const { return size() == other.size(); }
  virtual int size() const = 0;

  struct Line {
    int amount;
    int cost() const { return amount * price(); }
  };

 private:
  std::vector<T> items_;
};

}  // namespace detail

enum class Color { Red, Blue };

using Handler = std::function<void(int)>;

/// Opens it.
template <class T>
std::unique_ptr<T> open(std::string_view name) {
  return std::make_unique<T>(name);
}

int Shop::sell(Buyer& to) && {
  return to.pay(price_);
}

Shop::~Shop() = default;

}  // namespace shop

extern "C" {
int shop_main(int argc, char** argv) { return 0; }
}

TEST(CartTest, AddsUp) {
  EXPECT_EQ(1, 1);
}
