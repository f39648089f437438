-- The shop.
local json = require("cjson")
local shelf = require 'stock.shelf'

local LIMIT = 10
local Cart = {}
Cart.__index = Cart

--- Adds one.
-- @param item the thing
function Cart:add(item)
  table.insert(self.items, item)
  return notify(item)
end

function Cart.new(size)
  return setmetatable({ items = {} }, Cart)
end

local function helper(x)
  return x * 2
end

Cart.close = function(self)
  shelf.close(self)
end

local open = function(name)
  return Cart.new(name)
end

describe("Cart", function()
  it("adds up", function()
    assert.equals(1, helper(1))
  end)
end)

return Cart
