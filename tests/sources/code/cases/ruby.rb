# frozen_string_literal: true

require 'json'
require_relative "stock/shelf"

module Shop
  LIMIT = 10
  NAMES = %w[a b].freeze

  # A cart.
  class Cart < Basket
    include Enumerable
    attr_reader :items

    # Adds one.
    def add(item)
      @items << item
      notify item
    end

    def self.empty
      new([])
    end

    class << self
      def open!(name) = new(name)
    end

    private

    def sum?
      items.sum(&:price)
    end
  end
end

class Shop::Error < StandardError; end

def top_level
  puts Shop::Cart.empty
end

RSpec.describe Shop::Cart do
  let(:cart) { described_class.empty }

  it "adds up" do
    expect(cart.sum?).to eq(0)
  end
end
